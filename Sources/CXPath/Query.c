// Compiles expressions and applies them to documents.

#include "Parts.h"

// Receives the mistakes of an expression; the first one counts.
static void note_error(void *data, xmlErrorPtr error) {
  postkit_xpath_result *result = data;
  if (result->kind == POSTKIT_XPATH_BAD_EXPRESSION) return;
  result->kind = POSTKIT_XPATH_BAD_EXPRESSION;
  result->code = error->code;
  result->place = error->int1;
}

static xmlXPathContextPtr new_context(xmlDocPtr document, postkit_xpath_result *result) {
  postkit_xpath_silence();
  xmlXPathContextPtr context = postkit_xml.xmlXPathNewContext(document);
  if (context == NULL) {
    *result = postkit_xpath_failed(POSTKIT_XPATH_NO_MEMORY);
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
  xmlNodePtr root = postkit_xml.xmlDocGetRootElement(document);
  for (size_t i = 0; i < query->namespace_count; i += 1) {
    postkit_xml.xmlXPathRegisterNs(
        context, (const xmlChar *)query->namespaces[2 * i],
        (const xmlChar *)query->namespaces[2 * i + 1]);
  }
  if (root != NULL) postkit_xpath_register_prefixes(context, root);
  context->opLimit = query->step_limit;
  xmlXPathObjectPtr object = postkit_xml.xmlXPathCompiledEval(compiled, context);
  bool is_empty = object != NULL && object->type == XPATH_NODESET &&
                  (object->nodesetval == NULL || object->nodesetval->nodeNr == 0);
  if (is_empty && root != NULL) {
    postkit_xml.xmlXPathFreeObject(object);
    postkit_xpath_hide_namespaces(context, root, query);
    context->opCount = 0;
    object = postkit_xml.xmlXPathCompiledEval(compiled, context);
    postkit_xpath_show_namespaces(root);
  }
  if (object != NULL) {
    if (result->kind != POSTKIT_XPATH_BAD_EXPRESSION) {
      postkit_xpath_take_object(result, document, object, query);
    }
    postkit_xml.xmlXPathFreeObject(object);
  } else if (result->kind != POSTKIT_XPATH_BAD_EXPRESSION) {
    *result = postkit_xpath_failed(POSTKIT_XPATH_NO_MEMORY);
  }
}

postkit_xpath_result postkit_xpath_check(const char *expression) {
  postkit_xpath_result result = postkit_xpath_failed(POSTKIT_XPATH_STRING);
  xmlXPathContextPtr context = new_context(NULL, &result);
  if (context == NULL) return result;
  xmlXPathCompExprPtr compiled =
      postkit_xml.xmlXPathCtxtCompile(context, (const xmlChar *)expression);
  if (compiled != NULL) postkit_xml.xmlXPathFreeCompExpr(compiled);
  postkit_xml.xmlXPathFreeContext(context);
  return result;
}

postkit_xpath_result postkit_xpath_evaluate(
    const char *bytes, size_t length, const postkit_xpath_query *query) {
  postkit_xpath_result result = postkit_xpath_failed(POSTKIT_XPATH_STRING);
  xmlDocPtr document = query->is_html ? postkit_xpath_read_html(bytes, (int)length, &result)
                                      : postkit_xpath_read_xml(bytes, (int)length, 0, &result);
  if (document == NULL) return result;
  xmlXPathContextPtr context = new_context(document, &result);
  if (context != NULL) {
    xmlXPathCompExprPtr compiled =
        postkit_xml.xmlXPathCtxtCompile(context, (const xmlChar *)query->expression);
    if (compiled != NULL) {
      evaluate(&result, context, compiled, document, query);
      postkit_xml.xmlXPathFreeCompExpr(compiled);
    } else if (result.kind != POSTKIT_XPATH_BAD_EXPRESSION) {
      result = postkit_xpath_failed(POSTKIT_XPATH_NO_MEMORY);
    }
    postkit_xml.xmlXPathFreeContext(context);
  }
  postkit_xml.xmlFreeDoc(document);
  return result;
}
