import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { htmlToMarkdown } from './html-to-markdown.ts'

const read = async (html: string) => (await htmlToMarkdown(html, 'https://example.com/docs/page')).content

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
  ])('makes links whole: %s', async (html, expected) => {
    expect(await read(html)).toBe(expected)
  })

  it.each([
    ['<ul><li>a<li>b<ul><li>c</ul><li>d</ul>after', '- a\n- b\n  - c\n- d\n\nafter'],
    ['<ol><li>a</li><li><p>b</p><p>c</p></li></ol>', '1. a\n2. b\n\n   c'],
    ['<blockquote>a<p>b</blockquote>c', '> a\n\n> b\n\nc'],
    ['<pre>\n  a\n   b </pre>c', '```\n  a\n   b\n```\n\nc'],
    ['<pre>```js</pre>', '````\n```js\n````'],
    ['<li>stray', '- stray'],
    ['a<hr>b', 'a\n\n---\n\nb'],
    ['<table><tr><th>A<th>B<tr><td>1|2<td><p>x</p>y</table>z', '| A | B |\n| --- | --- |\n| 1\\|2 | x y |\n\nz'],
    ['<table><tr><td><table><tr><td>in</table></table>', '| in |\n| --- |'],
  ])('lays out %s', async (html, expected) => {
    expect(await read(html)).toBe(expected)
  })

  it('leaves out what a reader does not see', async () => {
    const html =
      '<script>if (a<b) document.write("</p>")</script><style>p{}</style><!-- <p>no</p> --><nav>menu</nav><p hidden>no</p>' +
      '<p style="color:red; display: none">no</p><div aria-hidden="true">no<div>no</div>no</div><svg><title>no</title><text>no</text></svg><p>yes</p><footer>no</footer>'
    expect(await read(html)).toBe('yes')
  })

  it('takes the main part where it is long enough to be one', async () => {
    const long = 'words '.repeat(50).trim()
    expect(await read(`<div>before</div><main><p>${long}</p></main><div>after</div>`)).toBe(long)
    expect(await read('<div>before</div><main></main><div>after</div>')).toBe('before\n\nafter')
  })

  it('knows the characters that pages name', async () => {
    expect(await read('&eacute;&#233;&#xE9;&#150;&nbsp;&hellip;&bogus;&#0;&#x110000;&amp;lt;&constructor;')).toBe(
      'ééé– …&bogus;\ufffd\ufffd&lt;&constructor;',
    )
  })

  it('answers any text, and within a time that grows with its size only', async () => {
    const piece = fc.constantFrom(
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
      '<li>',
      '</ul>',
      '<ol>',
      '<script>',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async pieces => {
        expect(typeof (await read(pieces.join('')))).toBe('string')
      }),
    )
    for (const hostile of [
      '<div>',
      '<a href="x">',
      '<a b="',
      '<ul><li>',
      '<blockquote>',
      '<table><tr><td>',
      '<b>a</b>',
      '<a href=/>a</a> ',
    ]) {
      const since = performance.now()
      await read(hostile.repeat(200_000 / hostile.length))
      expect(performance.now() - since).toBeLessThan(5_000)
    }
  })
})
