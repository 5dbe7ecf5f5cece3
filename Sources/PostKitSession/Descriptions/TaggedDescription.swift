// What was read of the descriptions that tags name, as editors and `postkit check` ask for it.

import PostKitDescription
package import PostKitLanguage
package import PostKitRunner
package import PostKitSyntax

extension TaggedDescription {
  /// What was found for a tag.
  package init(_ found: FileDescriptions, _ tag: DescriptionTag) {
    do throws(DescriptionFailure) {
      let description = try found.description(of: tag)
      self = description.map { TaggedDescription.known($0.index) } ?? .unknown
    } catch {
      self = .failed(error.message)
    }
  }
}
