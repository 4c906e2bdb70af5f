/** A PDF with one line of text on each page, as small as one can be. */
export function pdfOf(pages: readonly string[], extra = ''): Buffer {
  const kids = pages.map((_, at) => `${3 + at * 2} 0 R`).join(' ')
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} /MediaBox [0 0 1000000 200] /Resources << /Font << /F ${font} >> >> >>`,
    ...pages.flatMap((text, at) => {
      const stream = `BT /F 12 Tf 20 100 Td (${text}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /Contents ${4 + at * 2} 0 R >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ]
    }),
  ]
  let body = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = body.length
    body += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const rows = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return Buffer.from(
    `${body}xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${extra} >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  )
}
