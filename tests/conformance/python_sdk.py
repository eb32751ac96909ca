"""The official Python SDK against `casebook mcp`: over stdio and HTTP, current and older protocol.

Usage: python_sdk.py CASEBOOK FOLDER. Prints a line a check; the exit code says whether all passed. Each way of connecting solves
one case end to end; `casebook verify` and `casebook replay --check` then look at what was recorded.
"""

import asyncio, json, os, subprocess, sys

import mcp
from mcp import Client, StdioServerParameters

CASEBOOK, FOLDER = os.path.abspath(sys.argv[1]), sys.argv[2]
TASK = "V-AWS-04"
SLOW = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
LIMITS = ["--max-idle-seconds", "30", "--max-statement-seconds"]
failed = []


def check(name, holds, seen=""):
    print(f"{'ok' if holds else 'FAILED'}  {name}" + ("" if holds else f": {seen}"), flush=True)
    if not holds:
        failed.append(name)


def casebook(*arguments):
    done = subprocess.run([CASEBOOK, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


async def refused(awaitable):
    try:
        await awaitable
    except mcp.MCPError as error:
        return str(error)
    return ""


async def solve(name, client, protocol):
    """One case, from the brief to the answer."""
    check(f"{name}: speaks {protocol}", client.protocol_version == protocol, client.protocol_version)
    check(f"{name}: names itself", client.server_info.name == "casebook", client.server_info)
    check(f"{name}: instructs", "get_schema" in client.instructions and "console" in client.instructions)
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    check(f"{name}: three tools", sorted(tools) == ["get_schema", "run_query", "submit_answer"], tools)
    check(f"{name}: output schemas", all(tool.output_schema for tool in tools.values()))
    prompt = await client.get_prompt((await client.list_prompts()).prompts[0].name)
    check(f"{name}: the brief as a prompt", "MFA" in prompt.messages[0].content.text)
    resources = [str(resource.uri) for resource in (await client.list_resources()).resources]
    check(f"{name}: resources", resources[0] == "casebook://brief" and len(resources) == 3, resources)
    schema_text = (await client.read_resource("casebook://schema")).contents[0].text
    check(f"{name}: no such resource", "no such" in await refused(client.read_resource("casebook://vault")))
    check(f"{name}: no such prompt", "one prompt" in await refused(client.get_prompt("other")))

    schema = await client.call_tool("get_schema")
    check(f"{name}: the schema is the resource", schema.content[0].text == schema_text)
    check(f"{name}: the schema as data", len(schema.structured_content["tables"]) == 44)
    wrong = await client.call_tool("run_query", {"sql": "SELECT missing FROM okta_user"})
    check(f"{name}: an error", wrong.is_error and "no such column" in wrong.content[0].text, wrong)
    lost = await client.call_tool("drop_tables", {})
    check(f"{name}: an unknown tool", lost.is_error and "there is no tool" in lost.content[0].text, lost)
    query = "SELECT count(*) AS n, NULL AS none, 1.5 AS half FROM aws_iam_user"
    result = await client.call_tool("run-query", {"sql": query})
    data = result.structured_content
    check(f"{name}: rows as text", result.content[0].text.startswith("n\tnone\thalf\n"), result)
    check(f"{name}: rows as data", data["columns"] == ["n", "none", "half"] and data["rows"][0][1:] == [None, 1.5], data)
    check(f"{name}: counts", (data["row_count"], data["truncated"]) == (1, False), data)
    many = (await client.call_tool("run_query", {"sql": "SELECT * FROM okta_user a, okta_user b LIMIT 5000"})).structured_content
    check(f"{name}: cut where the text is", many["truncated"] and len(many["rows"]) <= 200 and many["row_count"] == 5000)

    heard = []

    async def progress(done, total, message):
        heard.append((done, total, message))

    slow = await client.call_tool("run_query", {"sql": SLOW}, progress_callback=progress)
    check(f"{name}: stopped by its limit", slow.is_error and "limit of 3.0 s" in slow.content[0].text, slow)
    check(f"{name}: progress", len(heard) >= 2 and heard[0][1] == 3 and heard[0][0] < heard[1][0], heard)

    answer = {"verdict": "yes", "subjects": [str(data["rows"][0][0])], "answer": "Counted."}
    accepted = await client.call_tool("submit_answer", answer)
    check(f"{name}: the answer is accepted", accepted.structured_content == {"accepted": True}, accepted)
    after = await client.call_tool("run_query", {"sql": "SELECT 1"})
    check(f"{name}: afterwards it is over", after.is_error and "the trial is over" in after.content[0].text, after)


async def cancelled(name, client):
    """A call that its client gives up stops at once, and the next one is answered."""
    loop = asyncio.get_running_loop()
    call = asyncio.create_task(client.call_tool("run_query", {"sql": SLOW}))
    await asyncio.sleep(0.5)
    call.cancel()
    try:
        await call
    except asyncio.CancelledError:
        pass
    began = loop.time()
    next_one = await client.call_tool("run_query", {"sql": "SELECT 1 AS one"})
    check(f"{name}: the next call is answered at once", loop.time() - began < 1.5, loop.time() - began)
    check(f"{name}: and right", next_one.structured_content["rows"] == [[1]], next_one)
    await client.call_tool("submit_answer", {"answer": "Given up."})


def recorded(name, run, cancels):
    code, text = casebook("verify", run)
    check(f"{name}: the archive is sound", code == 0 and "sound" in text, text)
    code, text = casebook("replay", run, "--check")
    check(f"{name}: it replays", code == 0 and "differs" not in text, text)
    code, text = casebook("runs", "show", run, "--json")
    trials = json.loads(text)["trials"]
    check(f"{name}: it ended answered", [trial["ending"] for trial in trials] == ["answered"], text)
    [trace] = [os.path.join(at, file) for at, _, files in os.walk(run) for file in files if file.endswith(".jsonl") and "trace" in file]
    events = [json.loads(line) for line in open(trace, encoding="utf-8")]
    notes = [event["body"]["text"] for event in events if event["kind"] == "note"]
    check(f"{name}: the client is noted", any(note.startswith("client: ") for note in notes), notes)
    stopped = [event["body"] for event in events if event["kind"] == "tool_error" and event["body"]["error"] == "cancelled"]
    check(f"{name}: calls that were cancelled", len(stopped) == cancels, stopped)


async def over_stdio(name, mode, protocol, work, cancels):
    run = os.path.join(FOLDER, name.replace(" ", "-"))
    arguments = ["mcp", "--task", TASK, "--out", run, *LIMITS, "20" if cancels else "3"]
    # Without an environment of its own the SDK gives the server next to none.
    server = StdioServerParameters(command=CASEBOOK, args=arguments, env=dict(os.environ))
    async with Client(server, mode=mode) as client:
        await work(name, client) if cancels else await work(name, client, protocol)
    recorded(name, run, cancels)


async def over_http(name, mode, protocol, work, cancels):
    run = os.path.join(FOLDER, name.replace(" ", "-"))
    arguments = ["mcp", "--http", "--task", TASK, "--out", run, *LIMITS, "20" if cancels else "3"]
    server = await asyncio.create_subprocess_exec(CASEBOOK, *arguments, stdout=subprocess.PIPE)
    url = json.loads(await server.stdout.readline())["url"]
    async with Client(url, mode=mode) as client:
        await work(name, client) if cancels else await work(name, client, protocol)
    check(f"{name}: the server ends by itself", await server.wait() == 0)
    recorded(name, run, cancels)


async def way(run, name, *rest):
    """One way of connecting; whatever goes wrong in it, the others go on."""
    try:
        await asyncio.wait_for(run(name, *rest), 60)
    except Exception as error:
        check(f"{name}: to its end", False, repr(error))


async def main():
    print(f"mcp {__import__('importlib.metadata').metadata.version('mcp')}", flush=True)
    current, legacy = "2026-07-28", "2025-11-25"
    ways = [
        (over_stdio, "stdio auto", "auto", current),
        (over_stdio, "stdio legacy", "legacy", legacy),
        (over_http, "http auto", "auto", current),
        (over_http, "http legacy", "legacy", legacy),
    ]
    await asyncio.gather(*(way(run, name, mode, version, solve, 0) for run, name, mode, version in ways))
    await asyncio.gather(
        *(way(run, f"{name} cancel", mode, version, cancelled, 1) for run, name, mode, version in ways)
    )


asyncio.run(main())
sys.exit(1 if failed else 0)
