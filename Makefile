# Every target is `python -m harness.workbook.tasks NAME`: type that where there is no make.
PYTHON ?= python3
TASK = @$(PYTHON) -m harness.workbook.tasks

.PHONY: help lab test check-notebooks model refresh-notebooks lint bench browser-test binder-check record fuzz grade

help lab test check-notebooks model refresh-notebooks lint bench browser-test binder-check record fuzz:
	$(TASK) $@

# make grade SUBMISSIONS=folder [SEED=secret]
grade:
	$(TASK) grade $(if $(SUBMISSIONS),"$(SUBMISSIONS)") $(if $(SEED),--seed "$(SEED)")
