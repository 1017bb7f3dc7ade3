// Ways in which a page, a frame, a popup or a worker can reach another host. Each line is one way: its name, and a function that
// receives the address as http (F) and ws (W), and the port (P). A function may return a promise of its end.
// The Rust side reads the names, so a name is the first text of its line.

const comes = (target, ...names) => new Promise(end => names.forEach(name => target.addEventListener(name, end)));
const add = (tag, attributes = {}) => { const e = Object.assign(document.createElement(tag), attributes); document.body.append(e); return e; };
const set = (tag, attributes = {}) => { const e = document.createElement(tag); for (const name in attributes) e.setAttribute(name, attributes[name]); document.body.append(e); return e; };
const html = text => { const box = add('div'); box.innerHTML = text; return box; };
const link = (rel, F, more = {}) => document.head.append(Object.assign(document.createElement('link'), { rel, href: F, ...more }));
const css = text => { const style = document.createElement('style'); style.textContent = text; document.head.append(style); add('div', { className: 'x', textContent: 'x' }); };
const svg = text => html(`<svg xmlns="http://www.w3.org/2000/svg" width=9 height=9>${text}</svg>`);
const blob = (code, type = 'text/javascript') => URL.createObjectURL(new Blob([code], { type }));
const home = path => globalThis.HOME + path;
const redirect = F => home('/redirect?status=302&to=' + encodeURIComponent(F));
const header = (name, value, body = '') => home('/header?name=' + name + '&value=' + encodeURIComponent(value) + '&body=' + encodeURIComponent(body));
const peer = urls => {
  const connection = new RTCPeerConnection({ iceServers: [{ urls, username: 'a', credential: 'b' }] });
  connection.createDataChannel('x');
  return connection.createOffer().then(offer => connection.setLocalDescription(offer)).then(() => new Promise(end => setTimeout(end, 1500)));
};
const candidate = async (P, protocol) => {
  const [a, b] = [new RTCPeerConnection(), new RTCPeerConnection()];
  a.createDataChannel('x');
  await a.setLocalDescription(await a.createOffer()); await b.setRemoteDescription(a.localDescription);
  await b.setLocalDescription(await b.createAnswer()); await a.setRemoteDescription(b.localDescription);
  const tail = protocol === 'tcp' ? ' tcptype passive' : '';
  await a.addIceCandidate({ candidate: `candidate:1 1 ${protocol} 2122260223 127.0.0.1 ${P} typ host${tail}`, sdpMid: '0', sdpMLineIndex: 0 });
  return new Promise(end => setTimeout(end, 1500));
};

// Ways that need no document: workers have them too.
const anywhere = {
  'fetch-get': (F) => fetch(F, { mode: 'no-cors' }),
  'fetch-cors': (F) => fetch(F),
  'fetch-post': (F) => fetch(F, { method: 'POST', mode: 'no-cors', body: 'x'.repeat(1000) }),
  'fetch-put': (F) => fetch(F, { method: 'PUT', body: 'x', headers: { 'x-custom': 'x' } }),
  'fetch-head': (F) => fetch(F, { method: 'HEAD', mode: 'no-cors' }),
  'fetch-keepalive': (F) => fetch(F, { method: 'POST', mode: 'no-cors', keepalive: true, body: 'x' }),
  'fetch-credentials': (F) => fetch(F, { mode: 'no-cors', credentials: 'include' }),
  'fetch-low-priority': (F) => fetch(F, { mode: 'no-cors', priority: 'low' }),
  'fetch-stream': (F) => fetch(F, { method: 'POST', duplex: 'half', body: new Blob(['x']).stream() }),
  'fetch-request': (F) => fetch(new Request(F, { mode: 'no-cors', cache: 'reload' })),
  'fetch-redirected': (F) => fetch(redirect(F), { mode: 'no-cors' }),
  'fetch-localhost': (F, W, P) => fetch(`http://localhost:${P}/`, { mode: 'no-cors' }),
  'fetch-ipv6': (F, W, P) => fetch(`http://[::1]:${P}/`, { mode: 'no-cors' }),
  'fetch-mapped': (F, W, P) => fetch(`http://[::ffff:7f00:1]:${P}/`, { mode: 'no-cors' }),
  'fetch-decimal': (F, W, P) => fetch(`http://2130706433:${P}/`, { mode: 'no-cors' }),
  'fetch-other-loopback': (F, W, P) => fetch(`http://127.0.0.2:${P}/`, { mode: 'no-cors' }),
  'fetch-unspecified': (F, W, P) => fetch(`http://0.0.0.0:${P}/`, { mode: 'no-cors' }),
  'fetch-subdomain': (F, W, P) => fetch(`http://a.localhost:${P}/`, { mode: 'no-cors' }),
  'fetch-https': (F) => fetch(F.replace('http', 'https'), { mode: 'no-cors' }),
  'fetch-later': (F) => fetchLater(F, { activateAfter: 0 }),
  'xhr': (F) => { const x = new XMLHttpRequest(); x.open('GET', F); x.send(); return comes(x, 'loadend'); },
  'xhr-post': (F) => { const x = new XMLHttpRequest(); x.open('POST', F); x.setRequestHeader('content-type', 'text/plain'); x.send('x'); return comes(x, 'loadend'); },
  'event-source': (F) => comes(new EventSource(F), 'error', 'open'),
  'event-source-redirected': (F) => comes(new EventSource(redirect(F)), 'error', 'open'),
  'web-socket': (F, W) => comes(new WebSocket(W), 'error', 'close'),
  'web-socket-protocol': (F, W) => comes(new WebSocket(W, ['a', 'b']), 'error', 'close'),
  'web-socket-secure': (F, W) => comes(new WebSocket(W.replace('ws', 'wss')), 'error', 'close'),
  'web-socket-localhost': (F, W, P) => comes(new WebSocket(`ws://localhost:${P}/`), 'error', 'close'),
  'web-socket-ipv6': (F, W, P) => comes(new WebSocket(`ws://[::1]:${P}/`), 'error', 'close'),
  'web-socket-stream': (F, W) => new WebSocketStream(W).opened,
  'web-transport': (F) => new WebTransport(F.replace('http', 'https')).ready,
  'web-transport-pooled': (F) => new WebTransport(F.replace('http', 'https'), { allowPooling: false, serverCertificateHashes: [{ algorithm: 'sha-256', value: new Uint8Array(32) }] }).ready,
  'import': (F) => import(F + '.js'),
  'import-json': (F) => import(F + '.json', { with: { type: 'json' } }),
  'import-blob': (F) => import(blob(`import '${F}.js'`)),
  'worker-blob': (F) => comes(new Worker(blob(`fetch('${F}', { mode: 'no-cors' }).finally(() => postMessage(1))`)), 'message', 'error'),
  'worker-module': (F) => comes(new Worker(blob(`import '${F}.js'; postMessage(1)`), { type: 'module' }), 'message', 'error'),
  'worker-import-scripts': (F) => comes(new Worker(blob(`try { importScripts('${F}.js') } catch {} postMessage(1)`)), 'message', 'error'),
  'worker-nested': (F) => comes(new Worker(blob(`new Worker(URL.createObjectURL(new Blob(["fetch('${F}', {mode:'no-cors'}).finally(() => postMessage(1))"]))).onmessage = () => postMessage(1)`)), 'message', 'error'),
  'worker-socket': (F, W) => comes(new Worker(blob(`new WebSocket('${W}').onerror = () => postMessage(1)`)), 'message', 'error'),
  'cache-add': (F) => caches.open('x').then(cache => cache.add(new Request(F, { mode: 'no-cors' }))),
  'cache-add-all': (F) => caches.open('y').then(cache => cache.addAll([F])),
  'wasm-streaming': (F) => WebAssembly.compileStreaming(fetch(F + '.wasm')),
  'font-face': (F) => { const face = new FontFace('x' + Math.random(), `url(${F}.woff2)`); return face.load(); },
  'report-error': (F) => { navigator.sendBeacon?.(F, 'x'); },
};

// Ways that need a document.
const documents = {
  'beacon-blob': (F) => { navigator.sendBeacon(F, new Blob(['x'], { type: 'text/plain' })); },
  'beacon-form': (F) => { const form = new FormData(); form.append('a', 'b'); navigator.sendBeacon(F, form); },
  'xhr-synchronous': (F) => { const x = new XMLHttpRequest(); x.open('GET', F, false); x.send(); },
  'image': (F) => comes(add('img', { src: F }), 'error', 'load'),
  'image-object': (F) => { const image = new Image(); image.src = F; return comes(image, 'error', 'load'); },
  'image-srcset': (F) => { add('img', { srcset: F + ' 1x, ' + F + '2 2x' }); },
  'image-redirected': (F) => comes(add('img', { src: redirect(F) }), 'error', 'load'),
  'image-attribution': (F) => { set('img', { attributionsrc: F, src: F }); },
  'image-lazy': (F) => { set('img', { loading: 'lazy', src: F }); },
  'picture': (F) => { html(`<picture><source srcset="${F}"><img alt=x></picture>`); },
  'video': (F) => { add('video', { src: F, autoplay: true, muted: true }); },
  'video-poster': (F) => { add('video', { poster: F }); },
  'video-source': (F) => { html(`<video autoplay muted><source src="${F}"></video>`); },
  'video-track': (F) => { html(`<video crossorigin autoplay muted src="data:video/mp4;base64,AAAA"><track default kind=subtitles src="${F}"></video>`).querySelector('track').track.mode = 'showing'; },
  'audio': (F) => { new Audio(F).play().catch(() => {}); },
  'embed': (F) => { add('embed', { src: F }); },
  'embed-svg': (F) => { add('embed', { src: F + '.svg', type: 'image/svg+xml' }); },
  'object': (F) => { add('object', { data: F }); },
  'object-image': (F) => { add('object', { data: F + '.png', type: 'image/png' }); },
  'frame': (F) => comes(add('iframe', { src: F }), 'load'),
  'frame-redirected': (F) => comes(add('iframe', { src: redirect(F) }), 'load'),
  'frame-srcdoc': (F, W) => comes(add('iframe', { srcdoc: `<img src="${F}"><script>fetch('${F}', {mode:'no-cors'}); new WebSocket('${W}')<\/script>` }), 'load'),
  'frame-sandbox': (F, W) => comes(add('iframe', { sandbox: 'allow-scripts', srcdoc: `<script>fetch('${F}', {mode:'no-cors'}); new WebSocket('${W}')<\/script>` }), 'load'),
  'frame-script-address': (F) => { add('iframe', { src: `javascript:fetch('${F}', {mode:'no-cors'})` }); },
  'frame-data': (F) => { add('iframe', { src: `data:text/html,<img src='${F}'><script>fetch('${F}',{mode:'no-cors'})<\/script>` }); },
  'frame-blob': (F) => { add('iframe', { src: blob(`<img src="${F}">`, 'text/html') }); },
  'frame-location': (F) => { add('iframe').contentWindow.location = F; },
  'frame-name': (F) => { add('iframe', { name: 'n' + Math.random() }); open(F, frames[frames.length - 1].name); },
  'frame-credentialless': (F) => { set('iframe', { credentialless: '', src: F }); },
  'frame-meta': (F) => { add('iframe', { srcdoc: `<meta http-equiv=refresh content="0;url=${F}">` }); },
  'frame-set': (F) => { add('iframe', { srcdoc: `<frameset><frame src="${F}"></frameset>` }); },
  'frame-base': (F) => { add('iframe', { srcdoc: `<base href="${F}"><img src="x.png"><link rel=stylesheet href="y.css">` }); },
  'fenced-frame': (F) => { const e = set('fencedframe'); e.config = new FencedFrameConfig(F); },
  'portal': (F) => { set('portal', { src: F }); },
  'script': (F) => comes(add('script', { src: F + '.js' }), 'error', 'load'),
  'script-module': (F) => comes(add('script', { type: 'module', src: F + '.js' }), 'error', 'load'),
  'script-module-inline': (F) => { add('script', { type: 'module', textContent: `import '${F}.js'` }); },
  'script-import-map': (F) => { add('script', { type: 'importmap', textContent: JSON.stringify({ imports: { ['x' + F]: F + '.js' } }) }); return import('x' + F); },
  'script-async': (F) => { add('script', { async: true, src: F + '.js' }); },
  'speculation-prefetch': (F) => { add('script', { type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ source: 'list', urls: [F], eagerness: 'immediate' }] }) }); },
  'speculation-prerender': (F) => { add('script', { type: 'speculationrules', textContent: JSON.stringify({ prerender: [{ source: 'list', urls: [F], eagerness: 'immediate' }] }) }); },
  'link-stylesheet': (F) => link('stylesheet', F),
  'link-alternate': (F) => link('alternate stylesheet', F, { title: 'x' }),
  'link-preload-script': (F) => link('preload', F, { as: 'script' }),
  'link-preload-image': (F) => link('preload', F, { as: 'image' }),
  'link-preload-style': (F) => link('preload', F, { as: 'style' }),
  'link-preload-font': (F) => link('preload', F, { as: 'font', crossOrigin: '' }),
  'link-preload-fetch': (F) => link('preload', F, { as: 'fetch', crossOrigin: '' }),
  'link-module-preload': (F) => link('modulepreload', F),
  'link-prefetch': (F) => link('prefetch', F),
  'link-prerender': (F) => link('prerender', F),
  'link-next': (F) => link('next', F),
  'link-preconnect': (F) => link('preconnect', F),
  'link-preconnect-anonymous': (F) => link('preconnect', F, { crossOrigin: '' }),
  'link-dns-prefetch': (F) => link('dns-prefetch', F),
  'link-icon': (F) => link('icon', F),
  'link-touch-icon': (F) => link('apple-touch-icon', F),
  'link-manifest': (F) => link('manifest', F),
  'link-dictionary': (F) => link('compression-dictionary', F),
  'link-import': (F) => link('import', F),
  'link-search': (F) => link('search', F, { type: 'application/opensearchdescription+xml' }),
  'css-background': (F) => css(`.x { background: url(${F}) }`),
  'css-image-set': (F) => css(`.x { background: image-set(url(${F}) 1x) }`),
  'css-content': (F) => css(`.x { content: url(${F}) }`),
  'css-before': (F) => css(`.x::before { content: url(${F}) }`),
  'css-list': (F) => css(`.x { display: list-item; list-style-image: url(${F}) }`),
  'css-cursor': (F) => css(`.x { cursor: url(${F}), auto }`),
  'css-border': (F) => css(`.x { border: 2px solid; border-image: url(${F}) 1 }`),
  'css-mask': (F) => css(`.x { mask-image: url(${F}) }`),
  'css-filter': (F) => css(`.x { filter: url(${F}#x) }`),
  'css-clip': (F) => css(`.x { clip-path: url(${F}#x) }`),
  'css-shape': (F) => css(`.x { float: left; shape-outside: url(${F}) }`),
  'css-import': (F) => css(`@import url(${F});`),
  'css-import-layer': (F) => css(`@import "${F}" layer(x) screen;`),
  'css-font': (F) => css(`@font-face { font-family: y${F.length}; src: url(${F}) } .x { font-family: y${F.length} }`),
  'css-selector': (F) => { add('input', { value: 'secret' }).setAttribute('value', 'secret'); css(`input[value^=s] { background: url(${F}) }`); },
  'css-variable': (F) => css(`:root { --u: url(${F}) } .x { background: var(--u) }`),
  'css-inline': (F) => { set('div', { style: `background: url(${F}); height: 9px` }); },
  'css-constructed': (F) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(`.x { background: url(${F}) }`); document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]; add('div', { className: 'x', textContent: 'x' }); },
  'css-shadow': (F) => { add('div').attachShadow({ mode: 'closed' }).innerHTML = `<style>p { background: url(${F}) }</style><p>x</p>`; },
  'paint-worklet': (F) => CSS.paintWorklet.addModule(F + '.js'),
  'audio-worklet': (F) => new AudioContext().audioWorklet.addModule(F + '.js'),
  'animation-worklet': (F) => CSS.animationWorklet.addModule(F + '.js'),
  'storage-worklet': (F) => sharedStorage.worklet.addModule(F + '.js'),
  'svg-image': (F) => { svg(`<image href="${F}" width=9 height=9 />`); },
  'svg-use': (F) => { svg(`<use href="${F}#x" />`); },
  'svg-filter': (F) => { svg(`<filter id=f><feImage href="${F}" /></filter><rect width=9 height=9 filter="url(#f)" />`); },
  'svg-script': (F) => { const s = document.createElementNS('http://www.w3.org/2000/svg', 'script'); s.setAttribute('href', F + '.js'); const g = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); g.append(s); document.body.append(g); },
  'svg-foreign': (F) => { svg(`<foreignObject width=9 height=9><img xmlns="http://www.w3.org/1999/xhtml" src="${F}" /></foreignObject>`); },
  'svg-animate': (F) => { svg(`<image width=9 height=9><set attributeName=href to="${F}" /></image>`); },
  'input-image': (F) => { add('input', { type: 'image', src: F }); },
  'body-background': (F) => { document.body.setAttribute('background', F); },
  'table-background': (F) => { html(`<table background="${F}"><tr><td background="${F}2">x</table>`); },
  'inner-html': (F) => { html(`<img src="${F}" onerror="fetch('${F}', {mode:'no-cors'})">`); },
  'insert-html': (F) => { document.body.insertAdjacentHTML('beforeend', `<img src="${F}">`); },
  'fragment': (F) => { document.body.append(document.createRange().createContextualFragment(`<script src="${F}.js"><\/script>`)); },
  'template': (F) => { const t = document.createElement('template'); t.innerHTML = `<img src="${F}">`; document.body.append(t.content.cloneNode(true)); },
  'parser': (F) => { document.body.append(document.importNode(new DOMParser().parseFromString(`<img src="${F}">`, 'text/html').body.firstChild)); },
  'xml-style': (F) => { add('iframe', { src: blob(`<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${F}.xsl"?><a/>`, 'text/xml') }); },
  'xml-entity': (F) => { add('iframe', { src: blob(`<?xml version="1.0"?><!DOCTYPE a SYSTEM "${F}.dtd" [<!ENTITY e SYSTEM "${F}">]><a>&e;</a>`, 'text/xml') }); },
  'xslt': (F) => { const sheet = new DOMParser().parseFromString(`<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:import href="${F}"/><xsl:template match="/"><a><xsl:value-of select="document('${F}')"/></a></xsl:template></xsl:stylesheet>`, 'text/xml'); const p = new XSLTProcessor(); p.importStylesheet(sheet); p.transformToFragment(sheet, document); },
  'form-get': (F) => { const name = 'f' + Math.random(); add('iframe', { name }); const form = add('form', { action: F, target: name }); form.append(Object.assign(document.createElement('input'), { name: 'a', value: 'b' })); form.submit(); },
  'form-post': (F) => { const name = 'g' + Math.random(); add('iframe', { name }); add('form', { action: F, method: 'post', target: name }).submit(); },
  'form-redirected': (F) => { const name = 'h' + Math.random(); add('iframe', { name }); add('form', { action: redirect(F).replace('302', '307'), method: 'post', target: name }).submit(); },
  'form-action': (F) => { const name = 'i' + Math.random(); add('iframe', { name }); const form = add('form', { target: name }); const button = Object.assign(document.createElement('button'), { formAction: F }); form.append(button); form.requestSubmit(button); },
  'anchor-ping': (F) => { const name = 'l' + Math.random(); add('iframe', { name }); set('a', { href: home('/ended'), target: name, ping: F }).click(); },
  'anchor-frame': (F) => { const name = 'j' + Math.random(); add('iframe', { name }); add('a', { href: F, target: name }).click(); },
  'anchor-blank': (F) => { add('a', { href: F, target: '_blank' }).click(); },
  'area': (F) => { const name = 'k' + Math.random(); add('iframe', { name }); const box = html(`<map name=m><area href="${F}" target="${name}"></map>`); box.querySelector('area').click(); },
  'open': (F) => { open(F)?.addEventListener('load', () => {}); },
  'open-no-opener': (F) => { open(F, '_blank', 'noopener,noreferrer'); },
  'open-then-location': (F) => { const w = open('about:blank'); if (w) w.location = F; },
  'shared-worker': (F, W) => { const w = new SharedWorker(blob(`onconnect = e => { new WebSocket('${W}'); fetch('${F}', {mode:'no-cors'}).finally(() => e.ports[0].postMessage(1)); }`)); w.port.start(); return comes(w.port, 'message'); },
  'shared-worker-address': (F) => { new SharedWorker(F + '.js'); },
  'worker-address': (F) => { new Worker(F + '.js'); },
  'worker-redirected': (F) => { new Worker(redirect(F + '.js')); },
  'service-worker-import': (F) => navigator.serviceWorker.register('/import-worker.js?' + encodeURIComponent(F), { scope: '/import/' }),
  'background-fetch': (F) => navigator.serviceWorker.ready.then(r => r.backgroundFetch.fetch('x', [F])),
  'push': (F) => navigator.serviceWorker.ready.then(r => r.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: 'BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U' })),
  'credentials-federated': (F) => navigator.credentials.get({ identity: { providers: [{ configURL: F + '.json', clientId: 'x' }] }, mediation: 'silent' }),
  'credentials-related': (F, W, P) => navigator.credentials.get({ publicKey: { challenge: new Uint8Array(8), rpId: 'localhost' } }),
  'payment': (F) => new PaymentRequest([{ supportedMethods: F.replace('http', 'https') }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).canMakePayment(),
  'presentation': (F) => new PresentationRequest([F]).getAvailability(),
  'interest-group': (F) => navigator.joinAdInterestGroup({ owner: F, name: 'x', biddingLogicURL: F }, 1000),
  'rtc-stun': (F, W, P) => peer('stun:127.0.0.1:' + P),
  'rtc-turn': (F, W, P) => peer('turn:127.0.0.1:' + P),
  'rtc-turn-tcp': (F, W, P) => peer('turn:127.0.0.1:' + P + '?transport=tcp'),
  'rtc-turn-tls': (F, W, P) => peer('turns:127.0.0.1:' + P + '?transport=tcp'),
  'rtc-turn-localhost': (F, W, P) => peer('turn:localhost:' + P + '?transport=tcp'),
  'rtc-candidate-udp': (F, W, P) => candidate(P, 'udp'),
  'rtc-candidate-tcp': (F, W, P) => candidate(P, 'tcp'),
  'header-preload': (F) => { add('iframe', { src: header('Link', `<${F}>; rel=preload; as=image`) }); },
  'header-preconnect': (F) => { add('iframe', { src: header('Link', `<${F}>; rel=preconnect`) }); },
  'header-stylesheet': (F) => { add('iframe', { src: header('Link', `<${F}>; rel=stylesheet`) }); },
  'header-refresh': (F) => { add('iframe', { src: header('Refresh', `0;url=${F}`) }); },
  'header-csp-report': (F) => { add('iframe', { src: header('Content-Security-Policy', `script-src 'none'; report-uri ${F}`, '<script>1</script>') }); },
  'header-csp-report-only': (F) => { add('iframe', { src: header('Content-Security-Policy-Report-Only', `img-src 'none'; report-uri ${F}`, '<img src=/x.png>') }); },
  'header-nel': (F) => { add('iframe', { src: header('Reporting-Endpoints', `default="${F}"`, '<script>1</script>') }); },
};

// Ways that leave the document: each is tried on a page of its own.
const leaving = {
  'location': (F) => { location = F; },
  'location-assign': (F) => { location.assign(F); },
  'location-replace': (F) => { location.replace(F); },
  'location-redirected': (F) => { location.href = redirect(F); },
  'navigation': (F) => { navigation.navigate(F).committed.catch(() => {}); },
  'meta-refresh': (F) => { const meta = document.createElement('meta'); meta.httpEquiv = 'refresh'; meta.content = '0;url=' + F; document.head.append(meta); },
  'form-top': (F) => { add('form', { action: F, method: 'post' }).submit(); },
  'anchor-top': (F) => { add('a', { href: F }).click(); },
  // The attribute is ignored for another origin, so the page leaves.
  'anchor-download': (F) => { add('a', { href: F, download: 'x.txt' }).click(); },
  'document-write': (F) => { document.open(); document.write(`<p id=end>all tried</p><img src="${F}"><script src="${F}.js"><\/script>`); document.close(); },
  'unload-beacon': (F) => { addEventListener('pagehide', () => { navigator.sendBeacon(F, 'x'); fetch(F, { method: 'POST', keepalive: true, mode: 'no-cors' }); }); location.href = '/ended'; },
  'history-script': (F) => { history.pushState({}, '', '/x'); location.href = `javascript:fetch('${F}', {mode:'no-cors'})`; },
  'header-top-refresh': (F) => { location.href = header('Refresh', `0;url=${F}`); },
};

const waysOf = scope => scope === 'leaving' ? leaving : scope === 'anywhere' ? anywhere : { ...anywhere, ...documents };

// Tries some of the ways of a scope, and ends when all have ended or after a time.
globalThis.attempt = async (scope, names, ports, mark) => {
  const ways = waysOf(scope);
  const limit = new Promise(end => setTimeout(end, 2500));
  await Promise.all(names.map(async name => {
    const P = ports[name];
    try { await Promise.race([ways[name](`http://127.0.0.1:${P}/${mark}-${name}`, `ws://127.0.0.1:${P}/${mark}-${name}`, P), limit]); } catch {}
  }));
  // Requests that a way does not report begin soon after it.
  await new Promise(end => setTimeout(end, 400));
};
