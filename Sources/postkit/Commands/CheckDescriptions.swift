// What `postkit check` knows of the descriptions that the tags of a file name.

import PostKitRunner
import PostKitSyntax

extension RequestFile {
  /// The descriptions that the file's tags name; `nil` without a tag. What was fetched is of no use
  /// to CI.
  var taggedDescriptions: FileDescriptions? {
    let tags = document.descriptionTags(of: document.blocks)
    if tags.isEmpty { return nil }
    let finder = DescriptionFinder(workspace, settings)
    return FileDescriptions(tags, finder, surroundings: []) { path in
      if path.contains("://") { return nil }
      return Result { () throws(DescriptionFailure) in
        try LoadedDescription(path, in: workspace)
      }
    }
  }
}
