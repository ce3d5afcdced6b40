import type {FileView} from '../../page-feed/contract.ts'
import {isPicture, kindOf, sizeOf} from '../kit/file-facts.ts'
import {DownloadIcon, FileIcon} from '../kit/icons.tsx'
import {useSession} from '../live/session.ts'

/** The files of a message: pictures as they are, everything else as cards. */
export function MessageFiles({files = []}: {files: FileView[] | undefined}) {
  if (files.length === 0) return null
  return (
    <ul className="files" aria-label="Files">
      {files.map((file) => (
        <li key={file.id}>{file.isDeleted ? <Deleted /> : <Shared file={file} />}</li>
      ))}
    </ul>
  )
}

function Deleted() {
  return <p className="file-deleted">This file was deleted.</p>
}

function Shared({file}: {file: FileView}) {
  const {workspace} = useSession()
  const query = workspace.teams.length > 1 ? `?team=${workspace.teamId}` : ''
  const address = `/local/files/${encodeURIComponent(file.id)}${query}`
  return isPicture(file) ? (
    <Picture file={file} address={address} />
  ) : (
    <Card file={file} address={address} />
  )
}

function Picture({file, address}: {file: FileView; address: string}) {
  return (
    <figure className="file-picture">
      <figcaption>{file.title}</figcaption>
      <a href={address} target="_blank" rel="noreferrer" aria-label={`Open ${file.title}`}>
        <img src={address} alt={file.title} loading="lazy" />
      </a>
    </figure>
  )
}

function Card({file, address}: {file: FileView; address: string}) {
  return (
    <div className="file-card">
      <span className="file-face">
        <FileIcon />
      </span>
      <span className="file-words">
        <strong title={file.name}>{file.title}</strong>
        <span className="muted">
          {kindOf(file)} · {sizeOf(file.size)}
        </span>
      </span>
      <a
        className="icon-button"
        href={address}
        download={file.name}
        aria-label={`Download ${file.name}`}
        title="Download"
      >
        <DownloadIcon />
      </a>
    </div>
  )
}
