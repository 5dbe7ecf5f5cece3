// Where the store is, for every way to say it (CONTRACTS.md, section 4).

import PostKitStore
import Testing

@Suite struct StoreLocationTests {
  @Test(arguments: [
    (
      ["POSTKIT_HOME": "/p", "XDG_DATA_HOME": "/d", "HOME": "/h"], "/p", "/p/view", "/p/config.json"
    ),
    (
      [
        "POSTKIT_HOME": "", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c",
        "HOME": "/h",
      ], "/d/postkit", "/s/postkit/view", "/c/postkit/config.json"
    ),
    (
      ["HOME": "/h", "XDG_DATA_HOME": "relative"], "/h/.local/share/postkit",
      "/h/.local/state/postkit/view", "/h/.config/postkit/config.json"
    ),
    (
      [:], "/.local/share/postkit", "/.local/state/postkit/view", "/.config/postkit/config.json"
    ),
  ])
  func `the environment gives the place`(
    variables: [String: String], directory: String, view: String, config: String
  ) {
    let location = StoreLocation { variables[$0] }
    #expect(location.directory == directory)
    #expect(location.viewDirectory == view)
    #expect(location.configPath == config)
  }

  @Test func `a named directory holds everything`() {
    let location = StoreLocation(directory: "/x")
    let paths = [
      location.historyPath, location.collectionsPath, location.lockPath, location.bodiesDirectory,
      location.viewDirectory, location.configPath, location.spoolDirectory,
    ]
    #expect(
      paths == [
        "/x/history.sqlite", "/x/collections.sqlite", "/x/store.lock", "/x/bodies", "/x/view",
        "/x/config.json", "/x/bodies/incoming",
      ])
  }
}
