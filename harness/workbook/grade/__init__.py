"""Marking submissions: exercise cells are taken out by id and judged anew; what a notebook printed counts nothing."""
