"""Writes a JUnit report of tests that another kind of output tells."""

import re
import xml.etree.ElementTree as ElementTree

MAX_OUTPUT = 8192
# What XML has no spelling for.
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def text_of(text):
    return FORBIDDEN.sub("", text)


def write_junit(path, cases):
    """`cases`: (group, name, status, output); a status is passed, failed, error, build or skipped.

    `build` is the error of code that does not compile, so that no test of it can run.
    """
    suites = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(suites, "testsuite", name="tests")
    for group, name, status, output in cases:
        case = ElementTree.SubElement(suite, "testcase", classname=text_of(group), name=text_of(name))
        if status == "skipped":
            ElementTree.SubElement(case, "skipped")
        elif status != "passed":
            tag = "failure" if status == "failed" else "error"
            told = ElementTree.SubElement(case, tag, type=status)
            told.text = text_of(output)[:MAX_OUTPUT]
    ElementTree.ElementTree(suites).write(path, encoding="utf-8", xml_declaration=True)
