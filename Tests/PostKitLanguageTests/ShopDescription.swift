// A description of an API that tests compare requests with.

/// A shop with a little of everything.
enum ShopDescription {
  /// OpenAPI 3.0 as JSON.
  static let text = """
    {
      "openapi": "3.0.3", "info": {"title": "Shop", "version": "1"},
      "servers": [{"url": "https://a.test"}, {"url": "https://a.test/v1"}],
      "paths": {
        "/": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {
          "schema": {"type": "object", "properties": {"l": {"type": "array", "items": {}}}}}}}}}},
        "/users": {
          "get": {
            "parameters": [
              {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}},
              {"name": "order", "in": "query", "schema": {"enum": ["name", "age"]}},
              {"name": "ids", "in": "query", "schema": {"type": "array", "items": {"type": "integer"}}},
              {"name": "old", "in": "query", "deprecated": true, "schema": {}},
              {"name": "where", "in": "query", "style": "deepObject", "schema": {"type": "object"}}
            ],
            "responses": {"200": {"description": "", "content": {"application/json": {
              "schema": {"type": "array", "items": {"$ref": "#/components/schemas/User"}}}}}}
          },
          "post": {
            "requestBody": {"required": true, "content": {
              "application/json": {"schema": {"$ref": "#/components/schemas/User"}},
              "application/x-www-form-urlencoded": {"schema": {"$ref": "#/components/schemas/User"}}
            }},
            "responses": {"201": {"description": "", "content": {"application/json": {
              "schema": {"$ref": "#/components/schemas/User"}}}}}
          }
        },
        "/users/{id}": {
          "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
          "get": {
            "parameters": [
              {"name": "X-Tenant", "in": "header", "required": true, "schema": {"type": "string"}},
              {"name": "fields", "in": "query", "required": true, "schema": {"type": "string"}}
            ],
            "responses": {"200": {"description": "", "content": {"application/json": {
              "schema": {"$ref": "#/components/schemas/User"}}}}}
          },
          "delete": {"deprecated": true, "responses": {"204": {"description": ""}}}
        },
        "/files": {"post": {
          "requestBody": {"content": {"multipart/form-data": {"schema": {
            "type": "object", "additionalProperties": false, "required": ["file"],
            "properties": {"file": {"type": "string", "format": "binary"}, "note": {"type": "string"}}
          }}}},
          "responses": {"204": {"description": ""}}
        }}
      },
      "components": {"schemas": {"User": {
        "type": "object", "additionalProperties": false, "required": ["name"],
        "properties": {
          "name": {"type": "string", "minLength": 1}, "age": {"type": "integer"},
          "role": {"enum": ["admin", "guest"]},
          "address": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}}
        }
      }}}
    }
    """
}
