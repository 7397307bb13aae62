"""What `make` calls: one module a task, run by name as `python -m harness.workbook.tasks NAME`."""
