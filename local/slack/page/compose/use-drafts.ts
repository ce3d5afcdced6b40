import {useState} from 'react'

/** What a person has begun at a place: words, and files that go with them. */
export interface Draft {
  draft: string
  onDraft: (draft: string) => void
  files: readonly File[]
  onFiles: (files: readonly File[]) => void
}

/** One draft per place, for as long as the page is open. */
export function useDrafts(): (place: string) => Draft {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, string>>(new Map())
  const [files, setFiles] = useState<ReadonlyMap<string, readonly File[]>>(new Map())
  return (place) => ({
    draft: drafts.get(place) ?? '',
    onDraft: (draft) => setDrafts((before) => new Map(before).set(place, draft)),
    files: files.get(place) ?? [],
    onFiles: (chosen) => setFiles((before) => new Map(before).set(place, chosen)),
  })
}
