// The values that are made anew at each use, in the languages of other tools.

extension ExportedDynamic {
  /// An expression of JavaScript that makes such a value; `nil` where there is none.
  var javaScript: String? {
    switch self {
    case .uuid, .email, .other: nil
    case .seconds(let shift):
      "Math.floor(Date.now() / 1000)"
        + (shift == 0 ? "" : shift < 0 ? " - \(-shift)" : " + \(shift)")
    case .milliseconds: "Date.now()"
    case .iso8601: "new Date().toISOString()"
    case .rfc1123: "new Date().toUTCString()"
    case .date: "new Date().toISOString().slice(0, 10)"
    case .integer(let low, let high):
      "\(low) + Math.floor(Math.random() * \(high - low))"
    case .float(let low, let high): "\(low) + Math.random() * \(high - low)"
    case .characters(let alphabet, let count):
      "Array.from({ length: \(count) }, () => \"\(alphabet)\""
        + "[Math.floor(Math.random() * \(alphabet.count))]).join(\"\")"
    }
  }
}

extension ExportedDynamic {
  /// An expression of Python that makes such a text; `nil` where there is none.
  func python(_ helpers: inout CodeHelpers) -> String? {
    switch self {
    case .uuid:
      helpers.take("import uuid")
      return "str(uuid.uuid4())"
    case .seconds(let shift):
      helpers.take("import time")
      return "str(int(time.time())\(shift == 0 ? "" : shift < 0 ? " - \(-shift)" : " + \(shift)"))"
    case .milliseconds:
      helpers.take("import time")
      return "str(int(time.time() * 1000))"
    case .iso8601:
      helpers.take("import datetime")
      return "datetime.datetime.now(datetime.timezone.utc).strftime(\"%Y-%m-%dT%H:%M:%S.000Z\")"
    case .rfc1123:
      helpers.take("import email.utils")
      return "email.utils.formatdate(usegmt=True)"
    case .date:
      helpers.take("import time")
      return "time.strftime(\"%Y-%m-%d\")"
    case .integer(let low, let high):
      helpers.take("import random")
      return "str(random.randrange(\(low), \(high)))"
    case .float(let low, let high):
      helpers.take("import random")
      return "str(random.uniform(\(low), \(high)))"
    case .characters(let alphabet, let count):
      helpers.take("import random")
      return "\"\".join(random.choices(\(PythonCode.literal.short(alphabet)), k=\(count)))"
    case .email:
      helpers.take("import random")
      return "\"\".join(random.choices(\"\(ExportedDynamic.small)\", k=8)) + \"@example.com\""
    case .other: return nil
    }
  }

  /// An expression of a k6 script that makes such a text; `nil` where there is none.
  func k6(_ helpers: inout CodeHelpers) -> String? {
    switch self {
    case .uuid:
      helpers.use("uuid")
      return "uuid()"
    case .seconds(let shift):
      let change = shift == 0 ? "" : shift < 0 ? " - \(-shift)" : " + \(shift)"
      return "String(Math.floor(Date.now() / 1000)\(change))"
    case .milliseconds: return "String(Date.now())"
    case .iso8601: return "new Date().toISOString()"
    case .rfc1123: return "new Date().toUTCString()"
    case .date: return "new Date().toISOString().slice(0, 10)"
    case .integer(let low, let high):
      return "String(\(low) + Math.floor(Math.random() * \(high - low)))"
    case .float(let low, let high):
      return "String(\(low) + Math.random() * \(high - low))"
    case .characters(let alphabet, let count):
      helpers.use("letters")
      return "letters(\(JavaScriptCode.literal.short(alphabet)), \(count))"
    case .email:
      helpers.use("letters")
      return "letters(\"\(ExportedDynamic.small)\", 8) + \"@example.com\""
    case .other: return nil
    }
  }
}
