// A collection of Postman that has every member which its schema names, made by hand.

/// Sources in Postman's formats.
enum PostmanSample {
  /// A collection with these items and further members.
  static func collection(_ items: String, _ members: String = "") -> String {
    """
    {"info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/x"},
     "item": [\(items)]\(members.isEmpty ? "" : ", " + members)}
    """
  }

  /// An item with a request of these members.
  static func item(_ request: String, _ members: String = "") -> String {
    #"{"name": "A", "request": {\#(request)}\#(members.isEmpty ? "" : ", " + members)}"#
  }

  /// Every member of the schema of 2.1.
  static let complete = #"""
    {
      "info": {
        "name": "Shop", "_postman_id": "c1", "_exporter_id": "7", "_collection_link": "https://x.y",
        "description": {"content": "All of it", "type": "text/markdown", "version": "1"},
        "version": {"major": 1, "minor": 2, "patch": 3, "identifier": "beta", "meta": null},
        "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
      },
      "auth": {"type": "basic", "basic": [
        {"key": "username", "value": "ann", "type": "string"},
        {"key": "password", "value": "{{pass}}", "type": "string"}]},
      "event": [
        {"id": "e1", "listen": "prerequest", "disabled": false,
         "script": {"id": "s1", "type": "text/javascript", "exec": ["let a = 1;"], "packages": {},
                    "name": "first"}},
        {"listen": "test", "script": {"exec": "pm.response.to.have.status(200);"}}
      ],
      "variable": [
        {"id": "v1", "key": "base", "value": "http://localhost", "type": "string", "name": "Base",
         "system": false, "disabled": false},
        {"key": "count", "value": 3, "type": "number"},
        {"key": "old", "value": "x", "disabled": true},
        {"key": "code", "value": "hidden", "type": "secret"}
      ],
      "protocolProfileBehavior": {"disableCookies": true},
      "item": [
        {
          "id": "f1", "name": "Users", "description": "About users",
          "variable": [{"key": "tier", "value": "free"}],
          "auth": {"type": "noauth"},
          "event": [{"listen": "prerequest", "script": {"exec": ["let b = 2;"]}}],
          "protocolProfileBehavior": {"followRedirects": false},
          "item": [
            {
              "id": "r1", "name": "Get user", "description": "One user",
              "variable": [{"key": "own", "value": "1"}],
              "event": [{"listen": "test", "script": {"exec": ["let c = 3;"]}}],
              "protocolProfileBehavior": {
                "followRedirects": true, "maxRedirects": 3, "followOriginalHttpMethod": true,
                "strictSSL": false, "disableCookies": false, "disableUrlEncoding": true,
                "disableBodyPruning": true, "protocolVersion": "http2",
                "disabledSystemHeaders": {"accept-encoding": true},
                "removeRefererHeaderOnRedirect": false, "insecureHTTPParser": false,
                "tlsDisabledProtocols": [], "tlsCipherSelection": [],
                "tlsPreferServerCiphers": false
              },
              "request": {
                "method": "POST", "description": "Sends",
                "url": {
                  "raw": "https://ann:pw@api.example.com:8080/users/:id?a=1&b#top",
                  "protocol": "https", "auth": {"user": "ann", "password": "pw"},
                  "host": ["api", "example", "com"], "port": "8080", "path": ["users", ":id"],
                  "query": [
                    {"key": "a", "value": "1", "description": "First", "disabled": false},
                    {"key": "b", "value": null},
                    {"key": "c", "value": "3", "disabled": true}],
                  "hash": "top",
                  "variable": [{"key": "id", "value": "7", "type": "string"}]
                },
                "auth": {"type": "bearer", "bearer": [
                           {"key": "token", "value": "t", "type": "any"}],
                         "basic": []},
                "proxy": {"match": "http+https://*/*", "host": "proxy.local", "port": 3128,
                          "tunnel": false, "disabled": false},
                "certificate": {"name": "own", "matches": ["https://api.example.com/*"],
                                "key": {"src": "client.key"}, "cert": {"src": "client.pem"}},
                "header": [
                  {"key": "X-A", "value": "1", "type": "text", "description": "A", "name": "X-A"},
                  {"key": "X-Off", "value": "0", "disabled": true}],
                "body": {
                  "mode": "raw", "raw": "{\"a\":1}", "disabled": false,
                  "options": {"raw": {"language": "json"}},
                  "urlencoded": [], "formdata": [], "file": {}, "graphql": {}
                }
              },
              "response": [
                {
                  "id": "x1", "name": "Found", "status": "OK", "code": 200, "responseTime": "12",
                  "timings": null, "_postman_previewlanguage": "json",
                  "header": [{"key": "Content-Type", "value": "application/json"},
                             {"key": "Content-Length", "value": "8"}],
                  "cookie": [], "body": "{\"id\":7}",
                  "originalRequest": {
                    "method": "POST", "header": [],
                    "body": {"mode": "raw", "raw": "{\"a\":1}"},
                    "url": {"raw": "https://api.example.com:8080/users/:id?a=1&b",
                            "protocol": "https", "host": ["api", "example", "com"], "port": "8080",
                            "path": ["users", ":id"],
                            "query": [{"key": "a", "value": "1"}, {"key": "b", "value": null}],
                            "variable": [{"key": "id", "value": "7"}]}
                  }
                }
              ]
            }
          ]
        },
        {"name": "Form", "request": {"method": "POST", "url": "{{base}}/form", "body": {
          "mode": "urlencoded", "urlencoded": [
            {"key": "a", "value": "1", "type": "text", "description": "A", "disabled": false}]}}},
        {"name": "Parts", "request": {"method": "POST", "url": "{{base}}/parts", "body": {
          "mode": "formdata", "formdata": [
            {"key": "t", "value": "x", "type": "text", "contentType": "text/csv"},
            {"key": "f", "type": "file", "src": ["a.bin", "b.bin"], "fileName": "c.bin"}]}}},
        {"name": "File", "request": {"method": "PUT", "url": "{{base}}/file", "body": {
          "mode": "file", "file": {"src": "a.bin"}}}},
        {"name": "Graph", "request": {"method": "POST", "url": "{{base}}/graphql", "body": {
          "mode": "graphql", "graphql": {"query": "{ a }", "variables": "{\"b\": 1}",
                                         "operationName": ""}}}}
      ]
    }
    """#
}
