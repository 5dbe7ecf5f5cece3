# This text is for PowerShell 7; no PowerShell has tried it.
Invoke-WebRequest -Method 'POST' -Uri 'https://h.example/orders?a=1' -Headers @{ 'Content-Type' = 'application/json'; 'User-Agent' = 'p'; 'X-Price' = '$5 {x}' } -Body ([byte[]](([Text.Encoding]::UTF8.GetBytes('{
  "a": "it''s"
}')))) -SkipHeaderValidation -SkipHttpErrorCheck -MaximumRedirection 0 -TimeoutSec 3
