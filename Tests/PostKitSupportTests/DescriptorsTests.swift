// Descriptors that stay with this process.

import Foundation
import PostKitSupport
import Testing

@Suite struct DescriptorsTests {
  @Test func `no child process inherits a pipe or a listener`() throws {
    let pipe = try #require(Descriptors.pipe())
    let listener = try Descriptors.loopbackListener()
    for descriptor in [pipe.reader, pipe.writer, listener.descriptor] {
      #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
      #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0)
      #expect(Descriptors.setNonBlocking(descriptor))
      #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
      close(descriptor)
    }
    #expect((1...65_535).contains(listener.port))
    #expect(!Descriptors.setNonBlocking(-1))
  }
}
