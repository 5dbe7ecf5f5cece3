// reqwest speaks HTTP/1.1; the request asks for HTTP/3.
// reqwest can't ask for the target `*`; it asks for that of the URL.
// reqwest does not support NTLM authentication; it is left out.
// reqwest adds `Accept` of its own.
// The copy has no client certificate; the request has /c.pem.
// reqwest follows a redirect of a POST with GET; the request keeps its method.
// reqwest writes the names of fields in small letters.
// reqwest may write the target of https://h/a/../b?c={d} differently.
// Cargo.toml: reqwest = { version = "0.11", features = ["blocking"] }
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut body: Vec<u8> = Vec::new();
    body.extend(b"\xff\x00".to_vec());
    body.extend(std::fs::read("/f.bin")?);
    let client = reqwest::blocking::Client::builder()
        .redirect(reqwest::redirect::Policy::limited(3))
        .timeout(None)
        .connect_timeout(std::time::Duration::from_millis(100))
        .danger_accept_invalid_certs(true)
        .add_root_certificate(reqwest::Certificate::from_pem(&std::fs::read("/ca.pem")?)?)
        .proxy(reqwest::Proxy::all("http://p:8080")?)
        .build()?;
    let response = client
        .request(reqwest::Method::from_bytes(b"PURGE")?, "https://h/a/../b?c={d}")
        .header("Host", "other")
        .header("x-a", "1")
        .header("X-A", "2")
        .body(reqwest::blocking::Body::new(std::io::Cursor::new(body)))
        .send()?;
    std::io::Write::write_all(&mut std::io::stdout(), &response.bytes()?)?;
    Ok(())
}
