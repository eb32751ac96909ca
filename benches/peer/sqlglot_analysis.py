"""Prints the median seconds that sqlglot takes for a statement of the oracle: parse, qualify, walk the scopes."""

import json
import pathlib
import statistics
import sys
import time

import sqlglot
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope

folder = pathlib.Path(sys.argv[1])
schema = {}
for statement in sqlglot.parse((folder / "schema.sql").read_text(), dialect="sqlite"):
    if statement and statement.args.get("kind") == "TABLE":
        table = statement.this
        schema[table.this.name] = {column.name: "TEXT" for column in table.expressions}
times = []
for line in (folder / "cases.jsonl").read_text().splitlines():
    case = json.loads(line)
    if case["verdict"] != "run":
        continue
    best = []
    for _ in range(5):
        started = time.perf_counter()
        try:
            tree = sqlglot.parse_one(case["sql"], dialect="sqlite")
            tree = qualify(tree, schema=schema, dialect="sqlite", validate_qualify_columns=False)
            for scope in traverse_scope(tree):
                list(scope.columns)
        except Exception:
            pass
        best.append(time.perf_counter() - started)
    times.append(statistics.median(best))
print(statistics.median(times))
