// The targets that editors offer are those that there are.

import PostKitSupport
import PostKitTransfer
import Testing

@Suite struct CopyTargetListTests {
  @Test("an editor offers every target of copies", arguments: [
    "vim/autoload/postkit/command.vim", "neovim/lua/postkit/init.lua", "emacs/postkit.el",
    "vscode/src/window/sending.js",
  ])
  func offered(file: String) throws {
    let root = FilePath.parent(FilePath.parent(FilePath.parent(#filePath)))
    let path = FilePath.join(root, "editors/\(file)")
    let text = String(decoding: try FileSystem.read(path: path, limit: 1 << 20), as: UTF8.self)
    // The list and what follows it closely.
    let start = try #require(text.firstRange(of: "httpie")).lowerBound
    let list = text[text.index(start, offsetBy: -60)...].prefix(1_100)
    let words = Set(list.split { !$0.isLetter })
    for target in CopyTarget.allCases {
      #expect(words.contains(target.rawValue[...]), "\(target.rawValue)")
    }
  }
}
