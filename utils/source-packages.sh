# Shared by utils/fetch-compiler-rt and benchmarks/fetch-programs: an apt that
# downloads source packages. Sourced, not run.

# Gives apt a configuration of its own in the directory $1: the machine's apt
# sources are read, turned into source entries there, and never touched.
configure_apt_for_sources() {
  local work=$1 file
  mkdir -p "$work/sources" "$work/lists/partial" "$work/archives/partial"

  # The machine's sources in both of apt's formats, as source entries.
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -r "$file" ] || continue
    sed -nE 's/^[[:space:]]*deb(-src)?[[:space:]]/deb-src /p' "$file" | sort -u \
      > "$work/sources/$(basename "$file" .list).list"
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -r "$file" ] || continue
    sed -E 's/^Types:.*/Types: deb-src/' "$file" > "$work/sources/$(basename "$file")"
  done
  cat > "$work/apt.conf" << END
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$work/sources";
Dir::State::lists "$work/lists";
Dir::Cache "$work";
APT::Sandbox::User "$(id -un)";
END
  export APT_CONFIG=$work/apt.conf
}
