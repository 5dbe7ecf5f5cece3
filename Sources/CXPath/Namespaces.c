// What prefixes in an expression mean, and elements that are found by their local names.

#include "Parts.h"

#include <ctype.h>
#include <string.h>

// The node after another one in the order of the document; null after the last one.
static xmlNodePtr next_node(xmlNodePtr node, xmlNodePtr root) {
  if (node->type == XML_ELEMENT_NODE && node->children != NULL) return node->children;
  while (node != root && node->next == NULL) node = node->parent;
  return node == root ? NULL : node->next;
}

void postkit_xpath_register_prefixes(xmlXPathContextPtr context, xmlNodePtr root) {
  for (xmlNodePtr node = root; node != NULL; node = next_node(node, root)) {
    if (node->type != XML_ELEMENT_NODE) continue;
    for (xmlNsPtr ns = node->nsDef; ns != NULL; ns = ns->next) {
      if (ns->prefix != NULL && ns->href != NULL &&
          postkit_xml.xmlXPathNsLookup(context, ns->prefix) == NULL) {
        postkit_xml.xmlXPathRegisterNs(context, ns->prefix, ns->href);
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

static bool is_asked_for(
    xmlXPathContextPtr context, xmlNsPtr ns, const postkit_xpath_query *query) {
  for (size_t i = 0; i < query->namespace_count; i += 1) {
    const char *prefix = query->namespaces[2 * i];
    if (strcmp(query->namespaces[2 * i + 1], (const char *)ns->href) == 0 &&
        uses_prefix(query->expression, prefix)) {
      return true;
    }
  }
  if (ns->prefix == NULL || !uses_prefix(query->expression, (const char *)ns->prefix)) return false;
  const xmlChar *meant = postkit_xml.xmlXPathNsLookup(context, ns->prefix);
  return meant != NULL && strcmp((const char *)meant, (const char *)ns->href) == 0;
}

// `_private` of a node keeps its namespace until it is put back.
void postkit_xpath_hide_namespaces(
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

void postkit_xpath_show_namespaces(xmlNodePtr root) {
  for (xmlNodePtr node = root; node != NULL; node = next_node(node, root)) {
    if (node->type != XML_ELEMENT_NODE) continue;
    if (node->_private != NULL) node->ns = node->_private;
    for (xmlAttrPtr attribute = node->properties; attribute != NULL; attribute = attribute->next) {
      if (attribute->_private != NULL) attribute->ns = attribute->_private;
    }
  }
}
