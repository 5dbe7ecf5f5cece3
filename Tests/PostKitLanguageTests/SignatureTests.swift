// Which arguments are written, and which of them the caret is in.

import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport
import Testing

/// The active signature with its active parameter in brackets; empty where there is none.
private func signature(_ marked: String) -> String {
  let text = MarkedText(marked)
  guard let help = SignatureHelp(ParsedDocument(bytes: text.bytes), at: text.offset()) else {
    return ""
  }
  let signature = help.signatures[help.activeSignature]
  return "\(signature.label) <\(signature.parameters[help.activeParameter])>"
}

struct SignatureTests {
  @Test func `A dynamic variable shows the parameter at the caret`() {
    #expect(signature("GET /{{$randomInt 1️⃣") == "$randomInt [min max] <min>")
    #expect(signature("GET /{{$randomInt 1 1️⃣}}") == "$randomInt [min max] <max>")
    #expect(signature("GET /{{$randomInt 1 2 1️⃣}}") == "")
    #expect(signature("GET /{{$randomInt1️⃣}}") == "")
    #expect(
      signature("GET /{{$random.integer(1, 1️⃣)}}") == "$random.integer([[min,] max]) <max>")
    #expect(signature("GET /{{$random.integer(1, 2)1️⃣}}") == "")
    #expect(
      signature(#"GET /{{$datetime "Y M" -1 1️⃣}}"#)
        == #"$datetime rfc1123|iso8601|"format" [offset unit] <unit>"#)
    #expect(signature("POST /\n\n{\"a\": \"{{$processEnv 1️⃣") == "$processEnv NAME <NAME>")
    #expect(signature("GET /{{host 1️⃣}}") == "")
  }

  @Test func `A metadata tag shows the parameter at the caret`() {
    #expect(signature("# @timeout 1️⃣\nGET /") == "@timeout NUMBER UNIT <NUMBER>")
    #expect(signature("// @timeout 5 1️⃣\nGET /") == "@timeout NUMBER UNIT <UNIT>")
    #expect(signature("# @prompt a some words 1️⃣\nGET /") == "@prompt VARIABLE [LABEL] <LABEL>")
    #expect(signature("# @loop for 1️⃣") == "@loop for N <N>")
    #expect(signature("# @loop for a 1️⃣") == "@loop for NAME of PATH <of>")
    #expect(signature("# @no-log 1️⃣") == "")
    #expect(signature("# @nothing 1️⃣") == "")
  }
}
