import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convertPage } from './convert-page.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import { processorMs, stolenMs } from '../../../../tests/processor-time.ts'

const URL = 'https://example.com/docs/page'
/** Of the pages that are built to keep it busy. */
const LENGTH = process.env['TOOLWRIGHT_LONG'] === '1' ? 1_000_000 : 400_000
const read = (html: string) => convertPage(html, URL).content

describe('htmlToMarkdown', () => {
  it('gives title, headings, paragraphs and marks', async () => {
    const html =
      '<!doctype html><html><head><title> A &amp;\n B </title></head><body><h1>Top</h1><p>One <b>two</b>\n <em>three</em><br>four<p>five <code>x&lt;y</code><b></b>'
    expect(await htmlToMarkdown(html, 'https://example.com/')).toEqual({
      title: 'A & B',
      content: '# Top\n\nOne **two** *three*\nfour\n\nfive `x<y`',
    })
  })

  it.each([
    ['<a href="/a?x=1&amp;y=2">here</a>', '[here](https://example.com/a?x=1&y=2)'],
    ['<a href=next>next</a>', '[next](https://example.com/docs/next)'],
    ['<base href="https://other.example/x/"><a href=y>y</a>', '[y](https://other.example/x/y)'],
    ['see <a href="#top"> top </a>now', 'see top now'],
    ['<a href="javascript:alert(1)">x</a>', 'x'],
    ['<a href="/a"></a>b', 'b'],
    ['<img src=/p.png alt="A picture"><img src=/q.png>', '![A picture](https://example.com/p.png)'],
    ['<a href=/c><h3>Card</h3></a>', '### Card\n\n<https://example.com/c>'],
  ])('makes links whole: %s', (html, expected) => {
    expect(read(html)).toBe(expected)
  })

  it.each([
    ['<ul><li>a<li>b<ul><li>c</ul><li>d</ul>after', '- a\n- b\n  - c\n- d\n\nafter'],
    ['<ol><li>a</li><li><p>b</p><p>c</p></li></ol>', '1. a\n2. b\n\n   c'],
    ['<blockquote>a<p>b</blockquote>c', '> a\n>\n> b\n\nc'],
    ['<pre>\n  a\n   b </pre>c', '```\n  a\n   b\n```\n\nc'],
    ['<pre><code class="x language-ts">a&lt;b<br>  c</code></pre>', '```ts\na<b\n  c\n```'],
    ['<div class="highlight"><pre class="lang-c++">a</pre></div>', '```c++\na\n```'],
    ['<ol start=3><li>a<li>b</ol>', '3. a\n4. b'],
    ['a_b_c *d* [e] 1. <s>f</s>', 'a_b_c *d* [e] 1. ~~f~~'],
    [
      '<table><thead><tr><th>A</th><th></th></tr></thead><tbody><tr><td></td><td>b</td></tr></tbody></table>',
      '| A |  |\n| --- | --- |\n|  | b |',
    ],
    ['<pre>```js</pre>', '````\n```js\n````'],
    ['<li>stray', '- stray'],
    ['a<hr>b', 'a\n\n---\n\nb'],
    ['<table><tr><th>A<th>B<tr><td>1|2<td><p>x</p>y</table>z', '| A | B |\n| --- | --- |\n| 1\\|2 | x y |\n\nz'],
    ['<table><tr><td><table><tr><td>in</table></table>', '| in |\n| --- |'],
  ])('lays out %s', (html, expected) => {
    expect(read(html)).toBe(expected)
  })

  it('leaves out what a reader does not see', async () => {
    const html =
      '<script>if (a<b) document.write("</p>")</script><style>p{}</style><!-- <p>no</p> --><nav>menu</nav><p hidden>no</p>' +
      '<p style="color:red; display: none">no</p><div aria-hidden="true">no<div>no</div>no</div><svg><title>no</title><text>no</text></svg><p>yes</p><footer>no</footer>'
    expect(read(html)).toBe('yes')
  })

  it('takes the main part where it is long enough to be one', async () => {
    const long = 'words '.repeat(50).trim()
    expect(read(`<div>before</div><main><p>${long}</p></main><div>after</div>`)).toBe(long)
    expect(read('<div>before</div><main></main><div>after</div>')).toBe('before\n\nafter')
  })

  it('knows the characters that pages name', async () => {
    expect(read('&eacute;&#233;&#xE9;&#150;&nbsp;&hellip;&bogus;&#0;&#x110000;&amp;lt;&constructor;')).toBe(
      'ééé– …&bogus;\ufffd\ufffd&lt;&constructor;',
    )
  })

  it('answers any text', () => {
    const pieces = [
      '<',
      '>',
      '</',
      'p',
      ' ',
      '"',
      "'",
      '=',
      '<a href="',
      '<td>',
      '</table>',
      '<pre>',
      '&#',
      '<!--',
      'x',
    ]
    const piece = fc.constantFrom(...pieces, '<li>', '</ul>', '<ol>', '<script>', '<main>', '<tr>', '<table>', '<base>')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), some => {
        expect(typeof read(some.join(''))).toBe('string')
      }),
    )
  })

  it.each(['<div>', '<ul><li>', '<table><tr><td>', '<b>a</b>', '<b><p>', '<a b="', '<a href=/>a</a> ', '<x y'])(
    'answers in time without blocking other work, for a page of only %s',
    async hostile => {
      let beats = 0
      let longest = 0
      // Its own time on a processor: what others do on a busy machine is no stall of ours.
      let last = processorMs()
      const heart = setInterval(() => {
        beats++
        longest = Math.max(longest, processorMs() - last)
        last = processorMs()
      }, 10)
      const [since, stolen] = [performance.now(), stolenMs()]
      const { content } = await htmlToMarkdown(`${hostile.repeat(LENGTH / hostile.length)}end`, URL)
      clearInterval(heart)
      expect(typeof content).toBe('string')
      expect(performance.now() - since - (stolenMs() - stolen)).toBeLessThan(8_000)
      expect(beats).toBeGreaterThan(3)
      expect(longest).toBeLessThan(1_000)
    },
  )

  it('gives the bare text of a page that is built to keep it busy', async () => {
    const deep = '<div>'.repeat(100_000)
    const html = `<style>p{}</style><script>a<b</script><!-- <p>no --><h1>Top &amp; more</h1>${deep}<b>one</b> two<p>three`
    expect((await htmlToMarkdown(html, URL)).content).toBe('Top & more\none two\nthree')
  })
})
