const axios = require("axios");

axios({
  method: "POST",
  url: "https://h.example/orders?a=1",
  headers: {
    "Content-Type": "application/json",
    "User-Agent": "p",
    "X-Price": "$5 {x}",
    "Accept": false,
  },
  data: Buffer.from(`{
  "a": "it's"
}`),
  transformRequest: [(data) => data],
  maxBodyLength: Infinity,
  responseType: "arraybuffer",
  validateStatus: () => true,
  maxRedirects: 0,
  timeout: 2500,
}).then((response) => {
  process.stdout.write(response.data);
});
