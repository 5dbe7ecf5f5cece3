<?php
$request = curl_init('https://h/a/../b?c={d}');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_PATH_AS_IS => true,
    CURLOPT_CUSTOMREQUEST => 'PURGE',
    CURLOPT_REQUEST_TARGET => '*',
    CURLOPT_ENCODING => '',
    CURLOPT_HTTPHEADER => ['Host: other', 'x-a: 1', 'X-A: 2', 'Transfer-Encoding: chunked', 'Accept:', 'Content-Type:', 'Expect:'],
    CURLOPT_POSTFIELDS => "\xff\x00" . file_get_contents('/f.bin'),
    CURLOPT_HTTP_VERSION => 30,
    CURLOPT_FOLLOWLOCATION => true,
    CURLOPT_MAXREDIRS => 3,
    CURLOPT_POSTREDIR => 3,
    CURLOPT_CONNECTTIMEOUT_MS => 100,
    CURLOPT_SSL_VERIFYPEER => false,
    CURLOPT_SSL_VERIFYHOST => 0,
    CURLOPT_CAINFO => '/ca.pem',
    CURLOPT_SSLCERT => '/c.pem',
    CURLOPT_KEYPASSWD => 'x',
    CURLOPT_PROXY => 'http://p:8080',
    CURLOPT_HTTPAUTH => CURLAUTH_NTLM,
    CURLOPT_USERPWD => 'ann:p',
]);
$response = curl_exec($request);
if ($response === false) {
    fwrite(STDERR, curl_error($request) . "\n");
    exit(1);
}
echo $response;
