<?php
$request = curl_init('https://h.example/orders?a=1');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_PATH_AS_IS => true,
    CURLOPT_CUSTOMREQUEST => 'POST',
    CURLOPT_ENCODING => '',
    CURLOPT_HTTPHEADER => ['Content-Type: application/json', 'User-Agent: p', 'X-Price: $5 {x}', 'Accept:', 'Expect:'],
    CURLOPT_POSTFIELDS => "{\n  \"a\": \"it's\"\n}",
    CURLOPT_TIMEOUT_MS => 2500,
]);
$response = curl_exec($request);
if ($response === false) {
    fwrite(STDERR, curl_error($request) . "\n");
    exit(1);
}
echo $response;
