// What a query found, as text.

#include "Parts.h"

static void write_node(xmlBufferPtr buffer, xmlDocPtr document, xmlNodePtr node, bool is_html) {
  if (is_html) {
    postkit_xml.htmlNodeDump(buffer, document, node);
  } else {
    postkit_xml.xmlNodeDump(buffer, document, node, 0, 0);
  }
}

// The inside of an element, the whole of a document, the value of anything else.
static void take_node(
    postkit_xpath_result *result, xmlDocPtr document, xmlNodePtr node, bool is_html) {
  xmlNodePtr first = NULL;
  if (node->type == XML_ELEMENT_NODE) {
    first = node->children;
  } else if (node->type == XML_DOCUMENT_NODE || node->type == XML_HTML_DOCUMENT_NODE) {
    first = postkit_xml.xmlDocGetRootElement(document);
  } else {
    postkit_xpath_take_text(result, postkit_xml.xmlXPathCastNodeToString(node));
    return;
  }
  xmlBufferPtr buffer = postkit_xml.xmlBufferCreate();
  if (buffer == NULL) {
    result->kind = POSTKIT_XPATH_NO_MEMORY;
    return;
  }
  for (xmlNodePtr child = first; child != NULL; child = child->next) {
    write_node(buffer, document, child, is_html);
    if (node->type != XML_ELEMENT_NODE) break;
  }
  postkit_xpath_set_text(
      result, (const char *)postkit_xml.xmlBufferContent(buffer),
      (size_t)postkit_xml.xmlBufferLength(buffer));
  postkit_xml.xmlBufferFree(buffer);
}

// All nodes as they stand in the document, each on a line of its own.
static void take_nodes(
    postkit_xpath_result *result, xmlDocPtr document, xmlNodeSetPtr nodes, bool is_html) {
  xmlBufferPtr buffer = postkit_xml.xmlBufferCreate();
  bool is_complete = buffer != NULL;
  for (int i = 0; is_complete && i < nodes->nodeNr; i += 1) {
    xmlNodePtr node = nodes->nodeTab[i];
    if (i > 0) is_complete = postkit_xml.xmlBufferAdd(buffer, (const xmlChar *)"\n", 1) == 0;
    switch (node->type) {
      case XML_ELEMENT_NODE:
      case XML_COMMENT_NODE:
      case XML_PI_NODE: write_node(buffer, document, node, is_html); break;
      case XML_DOCUMENT_NODE:
      case XML_HTML_DOCUMENT_NODE:
        write_node(buffer, document, postkit_xml.xmlDocGetRootElement(document), is_html);
        break;
      default: {
        xmlChar *text = postkit_xml.xmlXPathCastNodeToString(node);
        is_complete = text != NULL && postkit_xml.xmlBufferAdd(buffer, text, -1) == 0;
        if (text != NULL) (*postkit_xml.release)(text);
      }
    }
  }
  if (is_complete) {
    postkit_xpath_set_text(
        result, (const char *)postkit_xml.xmlBufferContent(buffer),
        (size_t)postkit_xml.xmlBufferLength(buffer));
  } else {
    result->kind = POSTKIT_XPATH_NO_MEMORY;
  }
  if (buffer != NULL) postkit_xml.xmlBufferFree(buffer);
}

void postkit_xpath_take_object(
    postkit_xpath_result *result, xmlDocPtr document, xmlXPathObjectPtr object,
    const postkit_xpath_query *query) {
  switch (object->type) {
    case XPATH_NODESET:
    case XPATH_XSLT_TREE: {
      result->kind = POSTKIT_XPATH_NODES;
      xmlNodeSetPtr nodes = object->nodesetval;
      result->count = nodes == NULL ? 0 : (size_t)nodes->nodeNr;
      if (result->count == 0) return;
      postkit_xml.xmlXPathNodeSetSort(nodes);
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
  postkit_xpath_take_text(result, postkit_xml.xmlXPathCastToString(object));
}
