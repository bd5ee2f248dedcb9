"""The report: every table, figure and claim of the papers, printed beside computed. One folder = one paper."""
