// An execution as one page that needs nothing else: page.html, with the execution in it.
#ifndef HEDDLE_SHOW_HTML_H
#define HEDDLE_SHOW_HTML_H

#include "happens_before.h"
#include "view.h"

#include <string>

namespace heddle::show {

std::string ToHtml(const View &view, const HappensBefore &order);

// page.html, from the build.
extern const char *const kPage;

} // namespace heddle::show

#endif // HEDDLE_SHOW_HTML_H
