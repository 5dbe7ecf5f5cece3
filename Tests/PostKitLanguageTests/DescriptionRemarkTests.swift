// What is said of requests that differ from the description of their API.

import PostKitLanguage
import Testing
