import type { ReactNode } from 'react'

/** Problems with a file. */
export function FileProblems({ problems }: { problems: readonly string[] }): ReactNode {
  if (problems.length === 0) return null
  return (
    <ul className="problems">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  )
}
