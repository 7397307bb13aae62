"""The workbook: what the notebooks use beside the package they teach. Nothing in the package imports it."""
