// Reads XML and HTML without a network, without entities, and keeps the first mistake.

#include "Parts.h"

#include <string.h>

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
  *result = postkit_xpath_failed(POSTKIT_XPATH_BAD_DOCUMENT);
  result->code = error->code;
  result->place = error->line;
  long consumed = postkit_xml.xmlByteConsumed(data);
  result->offset = consumed > 0 ? (size_t)consumed : 0;
  if (error->message == NULL) return;
  postkit_xpath_set_text(result, error->message, strlen(error->message));
}

xmlDocPtr postkit_xpath_read_xml(
    const char *bytes, int length, int more_options, postkit_xpath_result *result) {
  postkit_xpath_silence();
  xmlParserCtxtPtr parser = postkit_xml.xmlNewParserCtxt();
  if (parser == NULL) {
    *result = postkit_xpath_failed(POSTKIT_XPATH_NO_MEMORY);
    return NULL;
  }
  parser->_private = result;
  parser->sax->entityDecl = ignore_entity;
  parser->sax->serror = (xmlStructuredErrorFunc)note_mistake;
  int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | more_options;
  xmlDocPtr document = postkit_xml.xmlCtxtReadMemory(parser, bytes, length, NULL, NULL, options);
  if (document == NULL && result->kind == POSTKIT_XPATH_STRING) {
    *result = postkit_xpath_failed(POSTKIT_XPATH_BAD_DOCUMENT);
  }
  postkit_xml.xmlFreeParserCtxt(parser);
  return document;
}

xmlDocPtr postkit_xpath_read_html(const char *bytes, int length, postkit_xpath_result *result) {
  postkit_xpath_silence();
  int options = HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING;
  xmlDocPtr document = postkit_xml.htmlReadMemory(bytes, length, NULL, "UTF-8", options);
  if (document == NULL) *result = postkit_xpath_failed(POSTKIT_XPATH_BAD_DOCUMENT);
  return document;
}

postkit_xpath_result postkit_xml_check(const char *bytes, size_t length) {
  postkit_xpath_result result = postkit_xpath_failed(POSTKIT_XPATH_STRING);
  // What the text says of its encoding is about other bytes than these, which are UTF-8.
  xmlDocPtr document = postkit_xpath_read_xml(bytes, (int)length, XML_PARSE_IGNORE_ENC, &result);
  if (document != NULL) postkit_xml.xmlFreeDoc(document);
  return result;
}
