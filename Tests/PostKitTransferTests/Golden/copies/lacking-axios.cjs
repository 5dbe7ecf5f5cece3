// axios speaks HTTP/1.1; the request asks for HTTP/3.
// axios can't ask for the target `*`; it asks for that of the URL.
// axios does not support NTLM authentication; it is left out.
// The copy does not limit the time to connect; the request has 0.100 s.
// The copy uses the proxy of the environment; the request has one of its own.
// axios follows a redirect of a POST with GET; the request keeps its method.
// axios may write the target of https://h/a/../b?c={d} differently.
// axios can't send the field `Transfer-Encoding: chunked`; it is left out.
const axios = require("axios");
const { readFileSync } = require("node:fs");
const { Agent } = require("node:https");

axios({
  method: "PURGE",
  url: "https://h/a/../b?c={d}",
  headers: {
    "Host": "other",
    "x-a": ["1", "2"],
    "Accept": false,
    "Content-Type": false,
    "User-Agent": false,
  },
  data: Buffer.concat([Buffer.from("/wA=", "base64"), readFileSync("/f.bin")]),
  transformRequest: [(data) => data],
  maxBodyLength: Infinity,
  responseType: "arraybuffer",
  validateStatus: () => true,
  maxRedirects: 3,
  httpsAgent: new Agent({ rejectUnauthorized: false, ca: readFileSync("/ca.pem"), cert: readFileSync("/c.pem"), key: readFileSync("/c.pem"), passphrase: "x" }),
}).then((response) => {
  process.stdout.write(response.data);
});
