//! Tables of `HiBob`.

use super::TableSchema;

pub(super) const TABLES: &[TableSchema] = &[TableSchema {
    name: "hibob_employee",
    description: "HR records of employees and contractors, former ones included",
    columns: &[
        "id",
        "employee_id",
        "email",
        "personal_email",
        "fullname",
        "firstname",
        "surname",
        "displayname",
        "status",
        "lifecyclestatus",
        "employmenttype",
        "department",
        "title",
        "site",
        "reportsto_id",
        "reportsto_email",
        "startdate",
        "terminationdate",
        "terminationtype",
        "creationdatetime",
    ],
    order: &["id"],
}];
