// The documents that the example server serves.

import PostKitHTTP
import PostKitJSON

/// Fixed contents.
enum Samples {
  /// The people of `/users`.
  static let users: [JSONValue] = [
    ["id": 1, "name": "Ada Lovelace", "email": "ada@example.com"],
    ["id": 2, "name": "Alan Turing", "email": "alan@example.com"],
    ["id": 3, "name": "Grace Hopper", "email": "grace@example.com"],
  ]

  /// The document of `/json`.
  static let document: JSONValue = [
    "title": "A small shop",
    "isOpen": true,
    "rating": .number("4.75"),
    "owner": nil,
    "items": [
      ["id": 1, "name": "Notebook", "price": .number("3.20"), "tags": ["paper", "school"]],
      ["id": 2, "name": "Café crème", "price": .number("2.90"), "tags": ["drink"]],
    ],
  ]

  /// The page of `/html`.
  static let html = """
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <title>Example</title>
      </head>
      <body>
        <h1>Example page</h1>
        <p id="greeting">Hello from the <em>PostKit</em> example server.</p>
      </body>
    </html>

    """

  /// The document of `/xml`.
  static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <catalog>
      <book id="1"><title>Notes on the Analytical Engine</title><year>1843</year></book>
      <book id="2"><title>On Computable Numbers</title><year>1936</year></book>
    </catalog>

    """

  /// The table of endpoints for a browser.
  static let index: String = {
    let lines = ExampleEndpoint.all.map { endpoint in
      let methods = endpoint.methods.isEmpty ? "any" : endpoint.methods.joined(separator: " ")
      return "<tr><td>\(methods)</td><td><code>\(endpoint.path)</code></td>"
        + "<td>\(endpoint.summary)</td></tr>\n"
    }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><title>PostKit example server</title></head>
      <body>
      <h1>PostKit example server</h1>
      <table>
      \(lines.joined())</table>
      </body>
      </html>

      """
  }()

  /// The picture of `/image`: 16 by 16 pixels of changing colour.
  static let image: [UInt8] = {
    let side = 16
    let pixels = (0..<(side * side)).flatMap { index -> [UInt8] in
      [UInt8(index % side * 16), UInt8(index / side * 16), 160]
    }
    return Container.png(width: side, height: side, pixels: pixels)
  }()
}
