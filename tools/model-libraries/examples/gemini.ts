import { GoogleGenAI, type Content, type Part } from '@google/genai'
import { openToolkit } from 'toolwright'
import { geminiTools } from 'toolwright/adapters'

const kit = await openToolkit({ root: '.' })
const { tools, run } = await geminiTools(kit)

const client = new GoogleGenAI({ apiKey: process.env['GEMINI_API_KEY'] ?? '' })
const contents: Content[] = [{ role: 'user', parts: [{ text: 'What does a.txt say?' }] }]
for (;;) {
  const parts: Part[] = []
  const stream = await client.models.generateContentStream({ model: 'gemini-3', contents, config: { tools } })
  for await (const { candidates } of stream) parts.push(...(candidates?.[0]?.content?.parts ?? []))
  const results = await run(parts.flatMap(({ functionCall }) => functionCall ?? []))
  if (results.length === 0) {
    console.log(parts.map(({ text = '' }) => text).join(''))
    break
  }
  contents.push({ role: 'model', parts }, { role: 'user', parts: results })
}
await kit.close()
