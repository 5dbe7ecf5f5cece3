// Opens libxml2 at run time and calls it through one table (see CXPath.h).

#include "CXPath.h"
#include "CSystem.h"

#include <ctype.h>
#include <dlfcn.h>
#include <libxml/HTMLparser.h>
#include <libxml/HTMLtree.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Every function that is called, once. The type of each entry is that of libxml2's own declaration.
#define POSTKIT_XML_FUNCTIONS(FUNCTION) \
  FUNCTION(xmlInitParser)               \
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
} Table;
static Table table;

bool postkit_xpath_open(const char *name, char *message, size_t capacity) {
  void *library = postkit_library_open(name, message, capacity);
  if (library == NULL) return false;
  Table filled;
#define POSTKIT_XML_FILL(name)                                                           \
  if (!postkit_library_find(library, #name, &filled.name, message, capacity)) return false;
  POSTKIT_XML_FUNCTIONS(POSTKIT_XML_FILL)
  filled.release = dlsym(library, "xmlFree");
  const char *const *version = dlsym(library, "xmlParserVersion");
  filled.version = version != NULL ? strtol(*version, NULL, 10) : 0;
  // The limit on steps came with 2.9.9; writing it into an older context would spoil memory.
  if (filled.release == NULL || filled.version < 20909) {
    snprintf(message, capacity, "it is older than 2.9.9");
    dlclose(library);
    return false;
  }
  table = filled;
  table.xmlInitParser();
  return true;
}

long postkit_xpath_version(void) { return table.version; }

void postkit_xpath_free(postkit_xpath_result *result) {
  free(result->text);
  result->text = NULL;
}

// Results

static postkit_xpath_result failed(postkit_xpath_kind kind) {
  return (postkit_xpath_result){.kind = kind};
}

static bool set_text(postkit_xpath_result *result, const char *text, size_t length) {
  result->text = malloc(length + 1);
  if (result->text == NULL) {
    result->kind = POSTKIT_XPATH_NO_MEMORY;
    return false;
  }
  memcpy(result->text, text, length);
  result->text[length] = 0;
  result->length = length;
  return true;
}

static void take_text(postkit_xpath_result *result, xmlChar *text) {
  if (text == NULL) {
    result->kind = POSTKIT_XPATH_NO_MEMORY;
    return;
  }
  set_text(result, (const char *)text, strlen((const char *)text));
  (*table.release)(text);
}

// Receives the mistakes of an expression; the first one counts. Without it libxml2 prints them.
static void note_error(void *data, xmlErrorPtr error) {
  postkit_xpath_result *result = data;
  if (result->kind == POSTKIT_XPATH_BAD_EXPRESSION) return;
  result->kind = POSTKIT_XPATH_BAD_EXPRESSION;
  result->code = error->code;
  result->place = error->int1;
}

// Documents

// Entities that a document declares are not kept, so that none can be expanded: neither a file of
// this machine nor a text that doubles thirty times.
static void ignore_entity(
    void *context, const xmlChar *name, int type, const xmlChar *publicId, const xmlChar *systemId,
    xmlChar *content) {
  (void)context, (void)name, (void)type, (void)publicId, (void)systemId, (void)content;
}

// Receives the mistakes of a document; the first one that ends the reading counts.
static void note_mistake(void *data, xmlErrorPtr error) {
  postkit_xpath_result *result = ((xmlParserCtxtPtr)data)->_private;
  if (error->level != XML_ERR_FATAL || result->kind == POSTKIT_XPATH_BAD_DOCUMENT) return;
  *result = failed(POSTKIT_XPATH_BAD_DOCUMENT);
  result->code = error->code;
  result->place = error->line;
  long consumed = table.xmlByteConsumed(data);
  result->offset = consumed > 0 ? (size_t)consumed : 0;
  if (error->message != NULL) set_text(result, error->message, strlen(error->message));
}

static xmlDocPtr read_xml(
    const char *bytes, int length, int more_options, postkit_xpath_result *result) {
  xmlParserCtxtPtr parser = table.xmlNewParserCtxt();
  if (parser == NULL) {
    *result = failed(POSTKIT_XPATH_NO_MEMORY);
    return NULL;
  }
  parser->_private = result;
  parser->sax->entityDecl = ignore_entity;
  parser->sax->serror = (xmlStructuredErrorFunc)note_mistake;
  int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | more_options;
  xmlDocPtr document = table.xmlCtxtReadMemory(parser, bytes, length, NULL, NULL, options);
  if (document == NULL && result->kind == POSTKIT_XPATH_STRING) {
    *result = failed(POSTKIT_XPATH_BAD_DOCUMENT);
  }
  table.xmlFreeParserCtxt(parser);
  return document;
}

static xmlDocPtr read_html(const char *bytes, int length, postkit_xpath_result *result) {
  int options = HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING;
  xmlDocPtr document = table.htmlReadMemory(bytes, length, NULL, "UTF-8", options);
  if (document == NULL) *result = failed(POSTKIT_XPATH_BAD_DOCUMENT);
  return document;
}

// The node after another one in the order of the document; null after the last one.
static xmlNodePtr next_node(xmlNodePtr node, xmlNodePtr root) {
  if (node->type == XML_ELEMENT_NODE && node->children != NULL) return node->children;
  while (node != root && node->next == NULL) node = node->parent;
  return node == root ? NULL : node->next;
}

// Namespaces

// Registers the prefixes of the document that the author has not given a meaning.
static void register_prefixes(xmlXPathContextPtr context, xmlNodePtr root) {
  for (xmlNodePtr node = root; node != NULL; node = next_node(node, root)) {
    if (node->type != XML_ELEMENT_NODE) continue;
    for (xmlNsPtr ns = node->nsDef; ns != NULL; ns = ns->next) {
      if (ns->prefix != NULL && ns->href != NULL &&
          table.xmlXPathNsLookup(context, ns->prefix) == NULL) {
        table.xmlXPathRegisterNs(context, ns->prefix, ns->href);
      }
    }
  }
}

static bool is_name_byte(char byte) {
  return isalnum((unsigned char)byte) || byte == '_' || byte == '-' || byte == '.' ||
         (unsigned char)byte >= 0x80;
}

// Whether an expression has `prefix:name` in it.
static bool uses_prefix(const char *expression, const char *prefix) {
  size_t length = strlen(prefix);
  for (const char *at = strstr(expression, prefix); at != NULL; at = strstr(at + 1, prefix)) {
    bool begins = at == expression || !is_name_byte(at[-1]);
    if (begins && at[length] == ':' && at[length + 1] != ':') return true;
  }
  return false;
}

static bool is_asked_for(xmlXPathContextPtr context, xmlNsPtr ns, const postkit_xpath_query *query) {
  for (size_t i = 0; i < query->namespace_count; i += 1) {
    const char *prefix = query->namespaces[2 * i];
    if (strcmp(query->namespaces[2 * i + 1], (const char *)ns->href) == 0 &&
        uses_prefix(query->expression, prefix)) {
      return true;
    }
  }
  if (ns->prefix == NULL || !uses_prefix(query->expression, (const char *)ns->prefix)) return false;
  const xmlChar *meant = table.xmlXPathNsLookup(context, ns->prefix);
  return meant != NULL && strcmp((const char *)meant, (const char *)ns->href) == 0;
}

// Takes the namespaces off all elements and attributes, but for those that the expression names;
// `_private` keeps them until they are put back, so that what is found is written as it was.
static void hide_namespaces(
    xmlXPathContextPtr context, xmlNodePtr root, const postkit_xpath_query *query) {
  for (xmlNodePtr node = root; node != NULL; node = next_node(node, root)) {
    if (node->type != XML_ELEMENT_NODE) continue;
    if (node->ns != NULL && !is_asked_for(context, node->ns, query)) {
      node->_private = node->ns;
      node->ns = NULL;
    }
    for (xmlAttrPtr attribute = node->properties; attribute != NULL; attribute = attribute->next) {
      if (attribute->ns != NULL && !is_asked_for(context, attribute->ns, query)) {
        attribute->_private = attribute->ns;
        attribute->ns = NULL;
      }
    }
  }
}

static void show_namespaces(xmlNodePtr root) {
  for (xmlNodePtr node = root; node != NULL; node = next_node(node, root)) {
    if (node->type != XML_ELEMENT_NODE) continue;
    if (node->_private != NULL) node->ns = node->_private;
    for (xmlAttrPtr attribute = node->properties; attribute != NULL; attribute = attribute->next) {
      if (attribute->_private != NULL) attribute->ns = attribute->_private;
    }
  }
}

// Values

static void write_node(xmlBufferPtr buffer, xmlDocPtr document, xmlNodePtr node, bool is_html) {
  if (is_html) {
    table.htmlNodeDump(buffer, document, node);
  } else {
    table.xmlNodeDump(buffer, document, node, 0, 0);
  }
}

// The inside of an element, the whole of a document, the value of anything else.
static void take_node(
    postkit_xpath_result *result, xmlDocPtr document, xmlNodePtr node, bool is_html) {
  xmlNodePtr first = NULL;
  if (node->type == XML_ELEMENT_NODE) {
    first = node->children;
  } else if (node->type == XML_DOCUMENT_NODE || node->type == XML_HTML_DOCUMENT_NODE) {
    first = table.xmlDocGetRootElement(document);
  } else {
    take_text(result, table.xmlXPathCastNodeToString(node));
    return;
  }
  xmlBufferPtr buffer = table.xmlBufferCreate();
  if (buffer == NULL) {
    result->kind = POSTKIT_XPATH_NO_MEMORY;
    return;
  }
  for (xmlNodePtr child = first; child != NULL; child = child->next) {
    write_node(buffer, document, child, is_html);
    if (node->type != XML_ELEMENT_NODE) break;
  }
  set_text(
      result, (const char *)table.xmlBufferContent(buffer),
      (size_t)table.xmlBufferLength(buffer));
  table.xmlBufferFree(buffer);
}

// All nodes as they stand in the document, each on a line of its own.
static void take_nodes(
    postkit_xpath_result *result, xmlDocPtr document, xmlNodeSetPtr nodes, bool is_html) {
  xmlBufferPtr buffer = table.xmlBufferCreate();
  bool is_complete = buffer != NULL;
  for (int i = 0; is_complete && i < nodes->nodeNr; i += 1) {
    xmlNodePtr node = nodes->nodeTab[i];
    if (i > 0) is_complete = table.xmlBufferAdd(buffer, (const xmlChar *)"\n", 1) == 0;
    switch (node->type) {
      case XML_ELEMENT_NODE:
      case XML_COMMENT_NODE:
      case XML_PI_NODE: write_node(buffer, document, node, is_html); break;
      case XML_DOCUMENT_NODE:
      case XML_HTML_DOCUMENT_NODE:
        write_node(buffer, document, table.xmlDocGetRootElement(document), is_html);
        break;
      default: {
        xmlChar *text = table.xmlXPathCastNodeToString(node);
        is_complete = text != NULL && table.xmlBufferAdd(buffer, text, -1) == 0;
        if (text != NULL) (*table.release)(text);
      }
    }
  }
  if (is_complete) {
    set_text(
        result, (const char *)table.xmlBufferContent(buffer),
        (size_t)table.xmlBufferLength(buffer));
  } else {
    result->kind = POSTKIT_XPATH_NO_MEMORY;
  }
  if (buffer != NULL) table.xmlBufferFree(buffer);
}

static void take_object(
    postkit_xpath_result *result, xmlDocPtr document, xmlXPathObjectPtr object,
    const postkit_xpath_query *query) {
  switch (object->type) {
    case XPATH_NODESET:
    case XPATH_XSLT_TREE: {
      result->kind = POSTKIT_XPATH_NODES;
      xmlNodeSetPtr nodes = object->nodesetval;
      result->count = nodes == NULL ? 0 : (size_t)nodes->nodeNr;
      if (result->count == 0) return;
      table.xmlXPathNodeSetSort(nodes);
      if (query->whole_nodes) {
        take_nodes(result, document, nodes, query->is_html);
      } else {
        take_node(result, document, nodes->nodeTab[0], query->is_html);
      }
      return;
    }
    case XPATH_BOOLEAN: result->kind = POSTKIT_XPATH_BOOLEAN; break;
    case XPATH_NUMBER: result->kind = POSTKIT_XPATH_NUMBER; break;
    default: result->kind = POSTKIT_XPATH_STRING; break;
  }
  take_text(result, table.xmlXPathCastToString(object));
}

// Queries

static xmlXPathContextPtr new_context(xmlDocPtr document, postkit_xpath_result *result) {
  xmlXPathContextPtr context = table.xmlXPathNewContext(document);
  if (context == NULL) {
    *result = failed(POSTKIT_XPATH_NO_MEMORY);
    return NULL;
  }
  context->node = (xmlNodePtr)document;
  context->userData = result;
  context->error = (xmlStructuredErrorFunc)note_error;
  return context;
}

static void evaluate(
    postkit_xpath_result *result, xmlXPathContextPtr context, xmlXPathCompExprPtr compiled,
    xmlDocPtr document, const postkit_xpath_query *query) {
  xmlNodePtr root = table.xmlDocGetRootElement(document);
  for (size_t i = 0; i < query->namespace_count; i += 1) {
    table.xmlXPathRegisterNs(
        context, (const xmlChar *)query->namespaces[2 * i],
        (const xmlChar *)query->namespaces[2 * i + 1]);
  }
  if (root != NULL) register_prefixes(context, root);
  context->opLimit = query->step_limit;
  xmlXPathObjectPtr object = table.xmlXPathCompiledEval(compiled, context);
  bool is_empty = object != NULL && object->type == XPATH_NODESET &&
                  (object->nodesetval == NULL || object->nodesetval->nodeNr == 0);
  if (is_empty && root != NULL) {
    table.xmlXPathFreeObject(object);
    hide_namespaces(context, root, query);
    context->opCount = 0;
    object = table.xmlXPathCompiledEval(compiled, context);
    show_namespaces(root);
  }
  if (object != NULL) {
    if (result->kind != POSTKIT_XPATH_BAD_EXPRESSION) {
      take_object(result, document, object, query);
    }
    table.xmlXPathFreeObject(object);
  } else if (result->kind != POSTKIT_XPATH_BAD_EXPRESSION) {
    *result = failed(POSTKIT_XPATH_NO_MEMORY);
  }
}

postkit_xpath_result postkit_xpath_check(const char *expression) {
  postkit_xpath_result result = failed(POSTKIT_XPATH_STRING);
  xmlXPathContextPtr context = new_context(NULL, &result);
  if (context == NULL) return result;
  xmlXPathCompExprPtr compiled = table.xmlXPathCtxtCompile(context, (const xmlChar *)expression);
  if (compiled != NULL) table.xmlXPathFreeCompExpr(compiled);
  table.xmlXPathFreeContext(context);
  return result;
}

postkit_xpath_result postkit_xpath_evaluate(
    const char *bytes, size_t length, const postkit_xpath_query *query) {
  postkit_xpath_result result = failed(POSTKIT_XPATH_STRING);
  xmlDocPtr document = query->is_html ? read_html(bytes, (int)length, &result)
                                      : read_xml(bytes, (int)length, 0, &result);
  if (document == NULL) return result;
  xmlXPathContextPtr context = new_context(document, &result);
  if (context != NULL) {
    xmlXPathCompExprPtr compiled =
        table.xmlXPathCtxtCompile(context, (const xmlChar *)query->expression);
    if (compiled != NULL) {
      evaluate(&result, context, compiled, document, query);
      table.xmlXPathFreeCompExpr(compiled);
    } else if (result.kind != POSTKIT_XPATH_BAD_EXPRESSION) {
      result = failed(POSTKIT_XPATH_NO_MEMORY);
    }
    table.xmlXPathFreeContext(context);
  }
  table.xmlFreeDoc(document);
  return result;
}

postkit_xpath_result postkit_xml_check(const char *bytes, size_t length) {
  postkit_xpath_result result = failed(POSTKIT_XPATH_STRING);
  // What the text says of its encoding is about other bytes than these, which are UTF-8.
  xmlDocPtr document = read_xml(bytes, (int)length, XML_PARSE_IGNORE_ENC, &result);
  if (document != NULL) table.xmlFreeDoc(document);
  return result;
}
