import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { fakePages, fakeWeb, type FakeWebOptions } from '../../../src/testing/fake-web.ts'
import { failure, success, useAgent } from './rig.ts'

const agent = useAgent()
const URL = 'https://example.com/'
const PAGE = `<title>Example</title><p>${'x'.repeat(5295)}</p>`

/** One call against one page; `answer` gives the whole response. */
async function fetchFrom(answer: FakeWebOptions['answer'], input: object = { url: URL }, dns?: FakeWebOptions['dns']) {
  await using web = await fakeWeb({ hosts: ['example.com'], answer, ...(dns && { dns }) })
  return await agent.call('fetch_webpage', input, { network: web.network })
}
const plain = (text: string | Buffer, type = 'text/plain', status = 200): FakeWebOptions['answer'] => {
  return (_url, _request, response) => void response.writeHead(status, { 'content-type': type }).end(text)
}
const facts = (status_code: number, content_length: number, content_type: string, url = URL) => ({
  url,
  status_code,
  content_length,
  content_type,
})

describe('fetch_webpage', () => {
  it('CA-13, CA-02: fetches a page and answers as printed, with its text', async () => {
    expect(PAGE.length).toBe(5324)
    await using web = await fakePages({ [URL]: PAGE })
    const answer = await agent.call('fetch_webpage', { url: 'https://example.com' }, { network: web.network })
    expect(answer).toStrictEqual(
      success(
        expect.stringMatching(/^Fetched content from https:\/\/example\.com \(5\.2 KB\)\n[^<]*x{5295}\s*$/),
        [],
        facts(200, 5324, 'text/html', 'https://example.com'),
      ),
    )
  })

  it('CA-13: plain text is given as it is', async () => {
    expect(await fetchFrom(plain('hello\n'))).toStrictEqual(
      success('Fetched content from https://example.com/ (0.006 KB)\nhello\n', [], facts(200, 6, 'text/plain')),
    )
  })

  it('CA-13: http as well as https', async () => {
    expect(await fetchFrom(plain('x'), { url: 'http://example.com/a?b=c' })).toMatchObject({
      success: true,
      metadata: facts(200, 1, 'text/plain', 'http://example.com/a?b=c'),
    })
  })

  it.each([
    'ftp://example.com/x',
    'file:///etc/passwd',
    'example.com',
    '//example.com',
    'http://',
    'http:// bad host/',
    'http://user:pw@example.com/',
    'javascript:alert(1)',
    'C:\\page.html',
    '',
  ])('CA-13: %j is no URL that is taken, in the printed words', async url => {
    expect(await agent.fails('fetch_webpage', { url })).toStrictEqual(
      failure('invalid_parameters', 'Invalid URL format', /Use a whole URL that begins with http:\/\/ or https:\/\//),
    )
  })

  it.each([
    [{}, /Missing parameter 'url'/],
    [{ url: 7 }, /Parameter 'url'.*expected string, received number/],
    [{ url: URL, timeout_seconds: 0 }, /Parameter 'timeout_seconds': Too small/],
    [{ url: URL, timeout_seconds: 61 }, /Parameter 'timeout_seconds': Too big/],
    [{ url: URL, timeout_seconds: 1.5 }, /Parameter 'timeout_seconds'.*expected int/],
    [{ url: URL, timeout_seconds: '10' }, /Parameter 'timeout_seconds'.*expected number, received string/],
    [{ url: URL, method: 'POST' }, /Unknown parameter 'method'/],
  ])('CA-13, CA-03: names what is wrong with %j', async (input, message) => {
    expect(await agent.fails('fetch_webpage', input)).toMatchObject({
      output: expect.stringMatching(message),
      error: { code: 'invalid_parameters', suggestion: 'Parameters of fetch_webpage: url, timeout_seconds?' },
    })
  })

  it('CA-13: a network error, in the printed words', async () => {
    // Nobody listens on port 1.
    const network = { lookup: async () => ['93.184.216.34'], connect: () => connect(1, '127.0.0.1') }
    expect(await agent.fails('fetch_webpage', { url: URL }, { network })).toStrictEqual(
      failure('io_error', 'Failed to fetch - connection refused', /Check the address/),
    )
  })

  it('CA-13: a name that does not exist', async () => {
    expect(await fetchFrom(plain('x'), { url: URL }, {})).toStrictEqual(
      failure('io_error', 'Failed to fetch - no such host'),
    )
  })

  it('CA-13: a timeout, in the printed words', async () => {
    expect(await fetchFrom(() => {}, { url: URL, timeout_seconds: 1 })).toStrictEqual(
      failure('timeout', 'Request timed out after 1 seconds', /timeout_seconds/),
    )
  })

  it('CA-13: content_length is what the server declared, else the bytes that were read', async () => {
    const declared = (text: string, length: number): FakeWebOptions['answer'] => {
      return (_url, _request, response) =>
        void response.writeHead(200, { 'content-type': 'text/plain', 'content-length': length }).end(text)
    }
    expect(await fetchFrom(declared('hello\n', 6))).toMatchObject({ metadata: facts(200, 6, 'text/plain') })
    const [large, most] = [3 * 1024 * 1024, 1024 * 1024]
    expect(await fetchFrom(declared('x'.repeat(large), large))).toMatchObject({
      success: true,
      output: expect.stringMatching(/^Fetched content from \S+ \(1024\.0 KB\)\nError: Response too large/),
      metadata: facts(200, large, 'text/plain'),
    })
    expect(await fetchFrom(plain('x'.repeat(large)))).toMatchObject({ metadata: facts(200, most, 'text/plain') })
  })

  it('CA-13: 1 MB is taken whole, more is cut with the printed line and still a success', async () => {
    const MB = 1024 * 1024
    expect(await fetchFrom(plain('x'.repeat(MB)))).toStrictEqual(
      success(`Fetched content from ${URL} (1024.0 KB)\n${'x'.repeat(MB)}`, [], facts(200, MB, 'text/plain')),
    )
    expect(await fetchFrom(plain('x'.repeat(3 * MB)))).toStrictEqual(
      success(
        `Fetched content from ${URL} (1024.0 KB)\nError: Response too large (>1MB), truncating\n${'x'.repeat(MB)}`,
        [],
        facts(200, MB, 'text/plain'),
      ),
    )
  })

  it('CA-18: an empty page, and one that is not there', async () => {
    expect(await fetchFrom(plain(''))).toStrictEqual(
      success(`Fetched content from ${URL} (0.0 KB)\n`, [], facts(200, 0, 'text/plain')),
    )
    expect(await fetchFrom(plain('gone', 'text/plain', 404))).toStrictEqual(
      success(`Fetched content from ${URL} (0.004 KB)\ngone`, [], facts(404, 4, 'text/plain')),
    )
  })

  it('CA-18: other character sets are read, data that is no text is refused', async () => {
    expect(await fetchFrom(plain(Buffer.from('caf\xe9', 'latin1'), 'text/plain; charset=iso-8859-1'))).toMatchObject({
      output: expect.stringMatching(/\ncafé$/),
      metadata: facts(200, 4, 'text/plain'),
    })
    expect(await fetchFrom(plain(Buffer.from([0x89, 0x50, 0, 1, 2]), 'image/png'))).toMatchObject({
      success: false,
      error: { code: 'binary_file', suggestion: expect.stringMatching(/text only.*run_in_terminal/) },
    })
  })

  it('CA-13: says where redirects ended', async () => {
    const answer = await fetchFrom((url, _request, response) => {
      if (url.endsWith('/new')) response.writeHead(200, { 'content-type': 'text/plain' }).end('here')
      else response.writeHead(302, { location: '/new' }).end()
    })
    expect(answer).toMatchObject({ metadata: facts(200, 4, 'text/plain', 'https://example.com/new') })
  })

  it.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://169.254.169.254/latest/',
    'http://10.0.0.1/',
    'http://0x7f.1/',
  ])('CA-13: %s is inside and refused', async url => {
    expect(await agent.fails('fetch_webpage', { url })).toMatchObject({
      error: { code: 'permission_denied', suggestion: expect.stringMatching(/\w/) },
    })
  })

  it('CA-13: needs a person or a permission', async () => {
    expect(await agent.fails('fetch_webpage', { url: URL }, { permissions: [] })).toMatchObject({
      error: { code: 'not_approved', suggestion: expect.stringContaining('net:example.com') },
    })
  })
})
