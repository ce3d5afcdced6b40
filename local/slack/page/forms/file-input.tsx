import {useState} from 'react'
import {stringIn} from '../live/block-shape.ts'
import type {ElementControl} from './element-control.ts'
import {toPosted} from '../live/attachment.ts'
import {fieldAria, focusMark} from './field-aria.ts'
import {CloseIcon} from '../kit/icons.tsx'

/** https://docs.slack.dev/reference/block-kit/block-elements/file-input-element */
export function FileInput({control}: {control: ElementControl}) {
  const {element, entry, chosen, enter, upload} = control
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const ids = [entry].flat().filter((id) => id !== '')
  const max = typeof element.max_files === 'number' ? element.max_files : 10
  const types = Array.isArray(element.filetypes) ? element.filetypes : []
  const add = async (files: File[]): Promise<void> => {
    setProblem(undefined)
    setBusy(true)
    const added: string[] = []
    for (const file of files.slice(0, max - ids.length)) {
      const id = await upload(await toPosted(file))
      added.push(id)
      setNames((before) => new Map(before).set(id, file.name))
    }
    enter([...ids, ...added])
    if (files.length > added.length) setProblem(`Only ${max} files can be added here.`)
  }
  const fail = (error: unknown): void =>
    setProblem(error instanceof Error ? error.message : String(error))
  const nameOf = (id: string): string =>
    names.get(id) ?? stringIn(chosen.find((file) => file.id === id)?.name) ?? id
  return (
    <div className="file-input">
      <ul>
        {ids.map((id) => (
          <li key={id} className="chip">
            {nameOf(id)}
            <button
              type="button"
              aria-label={`Remove ${nameOf(id)}`}
              onClick={() => enter(ids.filter((other) => other !== id))}
            >
              <CloseIcon />
            </button>
          </li>
        ))}
      </ul>
      {ids.length < max && (
        <input
          type="file"
          multiple={max > 1}
          accept={types.map((type) => `.${String(type)}`).join()}
          disabled={isBusy}
          onChange={({target}) => {
            const files = [...(target.files ?? [])]
            add(files)
              .catch(fail)
              .finally(() => setBusy(false))
            target.value = ''
          }}
          {...fieldAria(control, 'Files')}
          {...focusMark(control)}
        />
      )}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
