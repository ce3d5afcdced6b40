import {useEffect, useState} from 'react'
import {kindOf, isPicture, sizeOf} from '../kit/file-facts.ts'
import {CloseIcon, FileIcon} from '../kit/icons.tsx'

/** The files that go along with the next message, each with a way out. */
export function AttachmentList({
  files,
  onFiles,
}: {
  files: readonly File[]
  onFiles: (files: readonly File[]) => void
}) {
  if (files.length === 0) return null
  return (
    <ul className="attachments" aria-label="Files to send">
      {files.map((file, index) => (
        <li key={`${index} ${file.name}`} className="attachment">
          <Preview file={file} />
          <span className="attachment-name" title={file.name}>
            {file.name}
            <span className="muted">
              {kindOf({name: file.name, mimetype: file.type})} · {sizeOf(file.size)}
            </span>
          </span>
          <button
            type="button"
            className="attachment-remove"
            aria-label={`Remove ${file.name}`}
            onClick={() => onFiles(files.filter((other) => other !== file))}
          >
            <CloseIcon />
          </button>
        </li>
      ))}
    </ul>
  )
}

function Preview({file}: {file: File}) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!isPicture({mimetype: file.type})) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  if (url !== undefined) return <img className="attachment-picture" src={url} alt="" />
  return (
    <span className="attachment-picture">
      <FileIcon />
    </span>
  )
}
