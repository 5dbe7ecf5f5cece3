# This text is for PowerShell 7; no PowerShell has tried it.
# Invoke-WebRequest speaks HTTP/1.1; the request asks for HTTP/3.
# Invoke-WebRequest can't ask for the target `*`; it asks for that of the URL.
# Invoke-WebRequest does not support NTLM authentication; it is left out.
# Invoke-WebRequest sends one field of a name: the values of `x-a` are joined.
# Invoke-WebRequest adds `User-Agent` of its own.
# Invoke-WebRequest can't send the field `Transfer-Encoding: chunked`; it is left out.
# The copy does not limit the time to connect; the request has 0.100 s.
# The copy trusts the system's certificates; the request those of /ca.pem.
# The copy has no client certificate; the request has /c.pem.
# Invoke-WebRequest follows a redirect of a POST with GET; the request keeps its method.
# Invoke-WebRequest may write the target of https://h/a/../b?c={d} differently.
Invoke-WebRequest -CustomMethod 'PURGE' -Uri 'https://h/a/../b?c={d}' -Headers @{ 'Host' = 'other'; 'x-a' = '1, 2' } -Body ([byte[]](([Convert]::FromBase64String('/wA=')) + ([IO.File]::ReadAllBytes('/f.bin')))) -SkipHeaderValidation -SkipHttpErrorCheck -MaximumRedirection 3 -SkipCertificateCheck -Proxy 'http://p:8080'
