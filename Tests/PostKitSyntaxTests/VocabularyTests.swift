// The tables of the words that have a meaning of their own: tags, methods and protocols.

import PostKitTestSupport
import Testing

@testable import PostKitSyntax

@Suite struct VocabularyTests {
  @Test(arguments: MetadataTag.allCases)
  func `A tag has one entry, and each of its keys finds it (PK-36)`(_ tag: MetadataTag) {
    #expect(MetadataTable.all.filter { $0.tag == tag }.count == 1)
    let entry = tag.entry
    #expect(entry.tag == tag)
    #expect(entry.summary.hasSuffix("."))
    for key in entry.keys {
      let key = entry.isOpen ? key + "-max-time" : key
      for written in [key, key.uppercased(), key.replacing("-", with: "")] {
        #expect(MetadataTag(key: written) == tag, "\(written)")
      }
    }
  }

  @Test func `No two tags have the same key`() {
    let keys = MetadataTable.all.flatMap(\.keys).map(MetadataTag.folded)
    #expect(Set(keys).count == keys.count)
    #expect(keys.count > 60)
  }

  @Test(arguments: ["", "-", "nam", "names", "cur", "no-redirects", "näme", "timeout2", "kulala"])
  func `Other keys are no tags`(_ key: String) { #expect(MetadataTag(key: key) == nil) }

  @Test func `Tags are offered that work and can be written as they are`() {
    let offered = Set(MetadataTable.offered.map(\.tag))
    for entry in MetadataTable.all {
      let isWritten = entry.status == .works && !entry.isOpen && entry.tag != .xpathNamespace
      #expect(offered.contains(entry.tag) == isWritten, "\(entry.tag)")
    }
  }

  @Test func `The explanation says where a tag has no effect`() {
    #expect(MetadataTag.noLog.entry.explanation == "Keeps the request out of the history.")
    #expect(
      MetadataTag.verbose.entry.explanation
        == "A tag of httpYac. It has no effect in PostKit.")
    #expect(MetadataTag.jq.entry.explanation.hasSuffix(" This version ignores it."))
    #expect(
      MetadataTag.stdinCommandBefore.entry.explanation.hasSuffix(
        " PostKit runs no shell commands, so it has no effect."))
  }

  @Test func `A word or a scheme chooses one protocol at most (PK-41)`() {
    let words = OtherProtocol.all.flatMap(\.words)
    let schemes = OtherProtocol.all.flatMap(\.schemes)
    #expect(Set(words).count == words.count)
    #expect(Set(schemes).count == schemes.count)
    for word in words {
      #expect(MethodCatalog.isKnown(word))
      #expect(!MethodCatalog.isHTTP(word))
      #expect(OtherProtocol.named(word)?.words.contains(word) == true)
    }
    #expect(OtherProtocol.all.filter(\.isSent).map(\.words) == [["GRAPHQL"]])
    #expect(OtherProtocol.ofScheme("https") == nil)
    #expect(OtherProtocol.ofScheme("wss")?.staysOpen == true)
  }

  @Test func `Methods are known in capitals and small letters, and sent in capitals (PK-9)`() {
    for word in MethodCatalog.all.map(\.name) + ["QUERY", "VERSION-CONTROL", "ACL"]
    where word != "GRAPHQL" {
      #expect(MethodCatalog.isHTTP(word))
      #expect(MethodCatalog.canonical(word.lowercased()) == word)
    }
    #expect(MethodCatalog.canonical("Purge") == "Purge")
    #expect(MethodCatalog.named("PURGE") == nil)
  }
}
