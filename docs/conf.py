"""The documentation, as Sphinx builds it.

Pages in Markdown; references from the parser of commands, the table of variables, docstrings and headers.
"""

import sys
from pathlib import Path

from rota import __version__

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "Rota"
author = "the authors of Rota"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "c_header", "commands", "enums", "man_pages", "variables"]
exclude_patterns = ["extensions"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

default_role = "literal"  # `name` in docstrings
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
add_module_names = False

smartquotes = False  # -- is what stands before an option

html_theme = "furo"
html_title = f"Rota {release}"
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_theme_options = {"top_of_page_buttons": []}

man_make_section_directory = True
man_pages = [
    (
        "reference/commands",
        "rota",
        "collective communication with schedules that are provably the best",
        author,
        1,
    ),
    ("reference/c", "rota", "Rota as a C library", author, 3),
    ("reference/variables", "rota", "what Rota reads from the environment", author, 7),
]
