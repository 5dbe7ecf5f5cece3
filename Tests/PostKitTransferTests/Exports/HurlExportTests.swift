// Names of files in exported Hurl files.

import Testing

@testable import PostKitTransfer

@Suite struct HurlExportTests {
  @Test(arguments: [
    ("a#1.png", "a\\#1.png"), ("a;1.png", #"a\;1.png"#), (#"a\b.png"#, #"a\\b.png"#),
    ("a b{1}.png", #"a\ b\{1\}.png"#),
  ])
  func `the name of a file keeps its signs`(name: String, written: String) throws {
    let text = """
      ### whole
      POST http://h/
      Content-Type: image/png

      < ./\(name)

      ### part
      POST http://h/
      Content-Type: multipart/form-data; boundary=b

      --b
      Content-Disposition: form-data; name="photo"; filename="x.png"
      Content-Type: image/png

      < ./\(name)
      --b--

      """
    let hurl = ExportSample.text(ExportSample.export(text, as: .hurl))
    #expect(hurl.contains("\nfile,\(written);\n"), "\(hurl)")
    #expect(hurl.contains("\nphoto: file,\(written); image/png\n"), "\(hurl)")
    let again = try OriginSample(HurlImporter.self, [("a.hurl", hurl)])
    #expect(again.requests.first?.body == .file(name))
  }
}
