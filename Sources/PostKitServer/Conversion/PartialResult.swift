// Lists that are sent part by part, where the client asks for that (PROMISES.md Q14).

import LanguageServerProtocol
import PostKitJSON

/// A part of a list that is sent before its end.
struct PartialResult<Element: ProtocolValue>: ProtocolValue {
  let values: [Element]

  /// Takes a part.
  init(values: [Element]) { self.values = values }

  /// Reads a part.
  init(decoding view: JSONView) throws(DecodingFailure) {
    values = try Decode.array(Element.init(decoding:))(view)
  }

  /// Writes the part as an array.
  func encode(to writer: inout JSONWriter) { Encode.array(Encode.value)(&writer, values) }
}
