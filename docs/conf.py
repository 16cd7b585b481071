"""The documentation site: these pages, the Python package by its docstrings, the C++ headers by their comments.

scripts/site builds it. What it needs is in requirements.txt; doxygen, where it is found, brings the reference of C++. The
site reads no file from a network: formulas are MathML, fonts are the reader's.

A link from a page to a file outside docs (a model, a record) becomes a download; one to a folder leads to the README in it.
With GRADUS_REPOSITORY in the environment, the address at which the repository's files can be read, it leads there instead.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

DOCS = pathlib.Path(__file__).resolve().parent
ROOT = DOCS.parent
BUILD = pathlib.Path(os.environ.get("GRADUS_SITE_BUILD", ROOT / "build"))
REPOSITORY = os.environ.get("GRADUS_REPOSITORY", "")
logger = logging.getLogger(__name__)

project = "gradus"
author = "The gradus authors"
copyright = "2026, The gradus authors"
version = release = re.search(r"project\(gradus VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
exclude_patterns = ["requirements.txt"]
html_theme = "furo"
html_title = f"gradus {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
html_math_renderer = "mathml"
toc_object_entries_show_parents = "hide"
pygments_style = "friendly"
# Fragments of models are no whole documents, which their lexer would complain about.
# The headers share one namespace, and C repeats the names of structs; both are declared more than once.
suppress_warnings = ["misc.highlighting_failure", "duplicate_declaration.cpp"]

# Pages are those of GitHub's Markdown, besides directives in the pages of the site alone.
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 4
myst_url_schemes = ["http", "https", "mailto"]
# Notebooks are shown with the results that they hold; tests run them.
nb_execution_mode = "off"
nb_ipywidgets_js = {}

# ----------------------------------------------------------------------------------------------------------------------
# The reference of Python: the package that was built, if there is one, else its sources without the compiled module.
# ----------------------------------------------------------------------------------------------------------------------
package = pathlib.Path(os.environ.get("GRADUS_PYTHON_PACKAGE", ROOT / "build" / "release" / "python"))
autodoc_mock_imports = [name for name in ("jax", "torch") if importlib.util.find_spec(name) is None]
if any((package / "gradus").glob("_core*.so")):
    sys.path.insert(0, str(package))
else:
    sys.path.insert(0, str(ROOT / "python"))
    autodoc_mock_imports.append("gradus._core")
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_default_options = {"members": True}
python_use_unqualified_type_names = True

# ----------------------------------------------------------------------------------------------------------------------
# The reference of C++
# ----------------------------------------------------------------------------------------------------------------------
doxygen = shutil.which("doxygen")
if doxygen:
    extensions.append("breathe")
    breathe_projects = {"gradus": str(BUILD / "site-doxygen" / "xml")}
    breathe_default_project = "gradus"
    breathe_default_members = ("members", "undoc-members")
    breathe_show_include = False
else:
    exclude_patterns.append("reference/cpp.md")

DOXYGEN = """
PROJECT_NAME = gradus
INPUT = "{root}/include/gradus"
STRIP_FROM_PATH = "{root}/include"
OUTPUT_DIRECTORY = "{folder}"
INPUT_FILTER = "{python} {root}/scripts/doxygen_filter.py"
EXCLUDE_SYMBOLS = *detail*
FILE_PATTERNS = *.hpp *.h
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
EXTRACT_ALL = YES
HIDE_FRIEND_COMPOUNDS = YES
MARKDOWN_SUPPORT = NO
AUTOLINK_SUPPORT = NO
JAVADOC_AUTOBRIEF = NO
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = GRADUS_API= __cplusplus=202002L
QUIET = YES
WARNINGS = NO
"""


def run_doxygen(app):
    if not doxygen:
        logger.info("the reference of C++ is left out: doxygen was not found (Debian: the package doxygen)")
        return
    folder = BUILD / "site-doxygen"
    folder.mkdir(parents=True, exist_ok=True)
    text = DOXYGEN.format(root=ROOT, folder=folder, python=sys.executable)
    made = subprocess.run([doxygen, "-"], input=text, text=True, capture_output=True, check=False)
    if made.returncode != 0:
        raise ExtensionError(f"doxygen failed: {made.stderr.strip()}")


# ----------------------------------------------------------------------------------------------------------------------
# Links to files outside this folder
# ----------------------------------------------------------------------------------------------------------------------
class OutsideLinks(SphinxTransform):
    default_priority = 1  # before references are looked for

    def apply(self, **kwargs):
        for node in list(self.document.findall(self.is_link)):
            file = self.file_of(node)
            if file is None:
                continue
            if file.is_dir():
                file = file / "README.md"
            if not file.is_file():
                logger.warning("there is no file %s", node["reftarget"], location=node)
                continue
            name = file.relative_to(ROOT).as_posix()
            if REPOSITORY:
                made = nodes.reference("", "", refuri=f"{REPOSITORY.rstrip('/')}/{name}", internal=False)
            else:
                target = os.path.relpath(file, (DOCS / self.env.docname).parent)
                made = addnodes.download_reference("", "", refdoc=self.env.docname, reftarget=target, refdomain="", reftype="download",
                                                   refexplicit=True, refwarn=False)
            made.extend(node.children)
            node.replace_self(made)

    @staticmethod
    def is_link(node):
        return isinstance(node, (addnodes.pending_xref, addnodes.download_reference)) and "reftarget" in node

    def file_of(self, node):
        """What is linked to, if it is a file or folder of the repository outside docs."""
        target = node["reftarget"].split("#")[0]
        page = (DOCS / self.env.docname).parent
        # Documents are named from the root of the pages, other files from the page.
        for base in (DOCS, page) if node.get("refdomain") == "doc" else (page,):
            for ending in ("", ".md"):
                file = (base / (target + ending)).resolve()
                if target and file.exists() and ROOT in file.parents and DOCS not in (file, *file.parents):
                    return file
        return None


def drop_empty_globs(app, name, source):
    """Lists of pages of which there are none yet would be warnings."""
    source[0] = re.sub(r"^([\w-]+)/\*\n", lambda match: match[0] if any((DOCS / match[1]).glob("*.*")) else "", source[0],
                       flags=re.MULTILINE)


# ----------------------------------------------------------------------------------------------------------------------
# Formulas
# ----------------------------------------------------------------------------------------------------------------------
def mathml(self, node, display):
    from latex2mathml.converter import convert

    self.body.append(convert(node.astext(), display=display))
    raise nodes.SkipNode


def setup(app):
    from pygments.lexers import JavascriptLexer

    app.add_lexer("jsonc", JavascriptLexer)
    app.add_transform(OutsideLinks)
    app.add_html_math_renderer("mathml", (lambda self, node: mathml(self, node, "inline"), None),
                               (lambda self, node: mathml(self, node, "block"), None))
    app.connect("builder-inited", run_doxygen)
    app.connect("source-read", drop_empty_globs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
