//! IAM policy documents.

use serde_json::{Value, json};

/// A document of these statements.
pub(super) fn document(statements: &[Value]) -> Value {
    json!({"Version": "2012-10-17", "Statement": statements})
}

/// An Allow statement.
#[allow(clippy::needless_pass_by_value)] // reads best with `json!` at the call
pub(super) fn allow(action: Value, resource: Value) -> Value {
    json!({"Action": action, "Effect": "Allow", "Resource": resource})
}

/// A trust statement for a service.
pub(super) fn trust_service(service: &str) -> Value {
    document(&[json!({"Action": "sts:AssumeRole", "Effect": "Allow", "Principal": {"Service": service}})])
}
