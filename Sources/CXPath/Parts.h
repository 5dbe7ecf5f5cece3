// What the files of this target share: libxml2's functions, and what each file does for the others.
// Only files of the target include it, for it includes the headers of libxml2.

#ifndef POSTKIT_CXPATH_PARTS_H
#define POSTKIT_CXPATH_PARTS_H

#include "CXPath.h"

#include <libxml/HTMLparser.h>
#include <libxml/HTMLtree.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

// Every function that is called, once. The type of each entry is that of libxml2's own declaration.
#define POSTKIT_XML_FUNCTIONS(FUNCTION) \
  FUNCTION(xmlInitParser)               \
  FUNCTION(xmlSetGenericErrorFunc)      \
  FUNCTION(xmlNewParserCtxt)            \
  FUNCTION(xmlFreeParserCtxt)           \
  FUNCTION(xmlCtxtReadMemory)           \
  FUNCTION(xmlByteConsumed)             \
  FUNCTION(htmlReadMemory)              \
  FUNCTION(xmlFreeDoc)                  \
  FUNCTION(xmlDocGetRootElement)        \
  FUNCTION(xmlBufferCreate)             \
  FUNCTION(xmlBufferAdd)                \
  FUNCTION(xmlBufferFree)               \
  FUNCTION(xmlBufferContent)            \
  FUNCTION(xmlBufferLength)             \
  FUNCTION(xmlNodeDump)                 \
  FUNCTION(htmlNodeDump)                \
  FUNCTION(xmlXPathNewContext)          \
  FUNCTION(xmlXPathFreeContext)         \
  FUNCTION(xmlXPathRegisterNs)          \
  FUNCTION(xmlXPathNsLookup)            \
  FUNCTION(xmlXPathCtxtCompile)         \
  FUNCTION(xmlXPathFreeCompExpr)        \
  FUNCTION(xmlXPathCompiledEval)        \
  FUNCTION(xmlXPathFreeObject)          \
  FUNCTION(xmlXPathNodeSetSort)         \
  FUNCTION(xmlXPathCastToString)        \
  FUNCTION(xmlXPathCastNodeToString)

#define POSTKIT_XML_ENTRY(name) __typeof__(name) *name;
typedef struct {
  POSTKIT_XML_FUNCTIONS(POSTKIT_XML_ENTRY)
  // `xmlFree` is a variable that holds a function.
  xmlFreeFunc *release;
  long version;
} postkit_xml_functions;

// Library.c

// Filled by `postkit_xpath_open`.
extern postkit_xml_functions postkit_xml;

// Keeps libxml2 from printing, on this thread. Some of what it finds, such as a function that XPath
// doesn't have, is printed whatever a context says of errors. Cheap enough for each entry.
void postkit_xpath_silence(void);

// Result.c

postkit_xpath_result postkit_xpath_failed(postkit_xpath_kind kind);

// Copies a text into a result; false where there is no memory for it, which the result then says.
bool postkit_xpath_set_text(postkit_xpath_result *result, const char *text, size_t length);

// Moves a text of libxml2 into a result; null is lack of memory.
void postkit_xpath_take_text(postkit_xpath_result *result, xmlChar *text);

// Document.c: null where a document can't be read, which the result then says.

xmlDocPtr postkit_xpath_read_xml(
    const char *bytes, int length, int more_options, postkit_xpath_result *result);
xmlDocPtr postkit_xpath_read_html(const char *bytes, int length, postkit_xpath_result *result);

// Namespaces.c

// Registers the prefixes of the document that the author has not given a meaning.
void postkit_xpath_register_prefixes(xmlXPathContextPtr context, xmlNodePtr root);

// Takes the namespaces off all elements and attributes, but for those that the expression names.
void postkit_xpath_hide_namespaces(
    xmlXPathContextPtr context, xmlNodePtr root, const postkit_xpath_query *query);

// Puts back what was taken off, so that what is found is written as it was.
void postkit_xpath_show_namespaces(xmlNodePtr root);

// Value.c

// The kind and the text of what a query found.
void postkit_xpath_take_object(
    postkit_xpath_result *result, xmlDocPtr document, xmlXPathObjectPtr object,
    const postkit_xpath_query *query);

#endif
