import { Empty } from '../../parts/empty.tsx'

export const Code = () => <Empty title="Code">This page is being built.</Empty>
