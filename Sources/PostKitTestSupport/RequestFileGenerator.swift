// Request files as nobody would write them: every construct, in any order, with blanks anywhere.

extension RepeatableGenerator {
  /// A file of some blocks; now and then a block is broken.
  package mutating func requestFile() -> String {
    let lineEnd = oneIn(4) ? "\r\n" : "\n"
    var text = oneIn(8) ? "\u{FEFF}" : ""
    for _ in 0..<int(in: 1..<6) {
      for line in block() {
        text += line + (oneIn(12) ? "\n" : lineEnd)
        if oneIn(6) { text += pick(["", " ", "\t "]) + lineEnd }
      }
    }
    if oneIn(3), text.hasSuffix(lineEnd) { text.removeLast() }
    return text
  }

  private mutating func blank() -> String { pick(["", " ", "  ", "\t", " \t "]) }

  private mutating func some() -> String { pick([" ", "  ", "\t", " \t "]) }

  private mutating func block() -> [String] {
    var lines = [pick(["###", "### Title", "###Title", " ### a b ", "####\tx", "###  ---"])]
    for _ in 0..<int(in: 0..<4) { lines.append(blank() + prologueLine() + blank()) }
    if oneIn(8) { return lines }
    lines.append(blank() + requestLine() + blank())
    for _ in 0..<int(in: 0..<3) { lines.append(some() + pick(["?q=1", "&f", "/v2", "&a = b  c"])) }
    for _ in 0..<int(in: 0..<4) { lines += header() }
    if oneIn(3) { lines.append(blank()) }
    if !oneIn(3) { lines += [blank()] + body() }
    if oneIn(2) { lines.append("") }
    for _ in 0..<int(in: 0..<3) { lines.append(blank() + epilogueLine() + blank()) }
    return lines
  }

  private mutating func prologueLine() -> String {
    pick([
      "# a remark,  with blanks", "//\tanother", "#@name" + some() + "one", "// @name = two",
      "# @timeout" + blank() + "=" + blank() + "30 s", "#  @no-redirect", "# @who  knows",
      "@a" + blank() + "=" + blank() + "1", "@b:=" + blank() + "{{a}}", "@c =", "@global.d=x y",
      "import" + some() + "./x.http", "run" + some() + "#one" + blank() + "(@a=1,  @b = 2)",
      "< {%  let x = 1;  %}", "/* a  remark */", "@xpath_ns  p=urn:x", "@broken", "",
      "gql" + some() + "F < ./f.graphql", "fragment" + some() + "G on T {\n   {{a}}  \n }",
    ])
  }

  private mutating func requestLine() -> String {
    let method = pick(["GET", "POST", "get", "{{m}}", "PUT", "GRAPHQL"])
    let target = pick([
      "http://t.test/a", "https://t.test/a b/{{a}}", "http://t.test/?x={{ a }}", "/origin",
    ])
    let version = oneIn(3) ? some() + pick(["HTTP/1.1", "HTTP/2  (Prior Knowledge)"]) : ""
    return (oneIn(4) ? "" : method + some()) + target + version
  }

  private mutating func header() -> [String] {
    switch int(in: 0..<6) {
    case 0: [pick(["...defaults", "{{whole}}", "not a header"])]
    case 1: ["X-Long:" + blank() + "first", some() + "second  part"]
    case 2: ["X-Empty" + blank() + ":" + blank()]
    case 3: ["# @note" + some() + "really?"]
    case 4: ["Content-Type:" + blank() + pick(["application/json", "text/plain", "text/markdown"])]
    default: [blank() + "X-{{a}}" + blank() + ":" + blank() + "v  {{a}}" + blank()]
    }
  }

  private mutating func body() -> [String] {
    pick([
      ["{", "  \"a\" :  1  ", "", "\t\"b\": \"{{a}}\"  ", "}  "], ["  text  ", "", "", " more\t"],
      ["# a heading", "", "< ./file.json", "<@latin1   ./b.txt"], ["a=1", " &b = 2 "],
      ["query Q {", "  x", "", "}", "", "{ \"v\" : 1 }"], ["@a = 1", "", "@b   =  2"],
    ])
  }

  private mutating func epilogueLine() -> String {
    pick([
      ">  {%  client.log(1)  %}", ">>" + some() + "out.json", ">>!  out.json", "<>  old.json",
      "??" + some() + "status  ==  200", "?? body a contains  'x'", "# a remark", ">   after.js",
      "@after" + blank() + "=" + blank() + "{{x}}", "stray text",
    ])
  }
}
