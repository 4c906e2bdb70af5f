import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ToolError } from './error.ts'
import { readTarget } from './target.ts'

describe('readTarget', () => {
  it.each([
    ['https://example.com', 'https://example.com', 'example.com', 443],
    ['HTTP://EXAMPLE.COM:80/a?b#c', 'http://example.com', 'example.com', 80],
    ['https://example.com./', 'https://example.com', 'example.com', 443],
    ['https://bücher.example/', 'https://xn--bcher-kva.example', 'xn--bcher-kva.example', 443],
    ['http://example.com:8080/', 'http://example.com:8080', 'example.com', 8080],
    ['http://[::1]:3000/', 'http://[::1]:3000', '::1', 3000],
    ['http://0x7f.1/', 'http://127.0.0.1', '127.0.0.1', 80],
    ['http://①②⑦.⓪.⓪.①/', 'http://127.0.0.1', '127.0.0.1', 80],
    ['http://2130706433/', 'http://127.0.0.1', '127.0.0.1', 80],
    ['http://example.com\\@127.0.0.1/', 'http://example.com', 'example.com', 80],
    ['  https://example.com/ ', 'https://example.com', 'example.com', 443],
    ['https://_dmarc.example.com/', 'https://_dmarc.example.com', '_dmarc.example.com', 443],
  ])('CA-13: reads %s', (text, origin, host, port) => {
    expect(readTarget(text)).toMatchObject({ origin, host, port })
  })

  it.each([
    ['', /not absolute/],
    ['example.com', /not absolute/],
    ['//example.com/', /not absolute/],
    ['http:example.com', /not absolute/],
    ['http:/etc/passwd', /not absolute/],
    ['/etc/passwd', /not absolute/],
    ['file:///etc/passwd', /only http and https are fetched, not file/],
    ['JavaScript:alert(1)', /not javascript/],
    ['http://', /no valid URL/],
    ['http://exa mple.com/', /no valid URL/],
    ['http://[::1%25lo]/', /no valid URL/],
    ['http://[127.0.0.1]/', /no valid URL/],
    ['http://user@example.com/', /user name or password/],
    ['http://:secret@example.com/', /user name or password/],
    [`http://${'a'.repeat(64)}.com/`, /no valid name/],
    [`http://${'a.'.repeat(130)}com/`, /no valid name/],
    ['http://a..b/', /no valid name/],
    ['http://a_b~c/', /no valid name/],
    ['http://example.com:0/', /no port 0/],
    ['http://example.com:99999/', /no valid URL/],
    ['http://example.com/$ENV.TOKEN', /names a secret/],
    [`http://example.com/${'a'.repeat(9_000)}`, /longer than/],
  ])('CA-13: refuses %s', (text, why) => {
    expect(() => readTarget(text)).toThrow(why)
    try {
      readTarget(text)
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_input' })
      expect(String(error)).not.toContain('secret@')
    }
  })

  it('reads a redirect relative to where it came from', () => {
    expect(readTarget('/b', 'https://example.com:8443/a').href).toBe('https://example.com:8443/b')
    expect(readTarget('//other.example/b', 'https://example.com/a').origin).toBe('https://other.example')
    expect(() => readTarget('gopher://x/', 'https://example.com/')).toThrow(/not gopher/)
  })

  it('gives the same target for what it gave, and fails in no other way', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()), text => {
        try {
          const target = readTarget(text)
          expect(readTarget(target.href)).toEqual(target)
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError)
        }
      }),
    )
  })
})
