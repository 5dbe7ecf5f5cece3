// reqwest adds `Accept` of its own.
// reqwest writes the names of fields in small letters.
// Cargo.toml: reqwest = { version = "0.11", features = ["blocking"] }
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let body: Vec<u8> = "{\n  \"a\": \"it's\"\n}".as_bytes().to_vec();
    let client = reqwest::blocking::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(std::time::Duration::from_millis(2500))
        .build()?;
    let response = client
        .request(reqwest::Method::from_bytes(b"POST")?, "https://h.example/orders?a=1")
        .header("Content-Type", "application/json")
        .header("User-Agent", "p")
        .header("X-Price", "$5 {x}")
        .body(body)
        .send()?;
    std::io::Write::write_all(&mut std::io::stdout(), &response.bytes()?)?;
    Ok(())
}
